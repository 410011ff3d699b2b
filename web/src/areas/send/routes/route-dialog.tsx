import { Alert, Button, NumberInput, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { ActionsInput } from './actions-input.tsx';
import { actionsOf, NEW_ACTION, readActions } from './actions.ts';
import { ConditionsInput } from './conditions-input.tsx';
import { expressionOf, isUnfinished, NEW_CONDITION, readConditions, type Conditions } from './conditions.ts';
import { saveRoute, type Route } from './routes-api.ts';
import classes from './routes.module.css';

const FIELDS = ['expression', 'action', 'priority', 'description'] as const;

/** An expression as rows where they say all of it, or as it is written. */
function useExpression(given: string | undefined) {
  const [rows, setRows] = useState<Conditions | undefined>(() =>
    given === undefined ? { join: 'and', rows: [NEW_CONDITION] } : readConditions(given),
  );
  const [written, setWritten] = useState(given ?? '');
  return {
    rows,
    setRows,
    written,
    setWritten,
    expression: rows ? expressionOf(rows) : written.trim(),
    isUnfinished: rows ? rows.rows.some(isUnfinished) : written.trim() === '',
    /** Rows can say no more than what they have. */
    canHaveRows: rows !== undefined || written.trim() === '' || readConditions(written) !== undefined,
    write: () => {
      if (rows) setWritten(rows.rows.some(isUnfinished) ? '' : expressionOf(rows));
      setRows(undefined);
    },
    build: () => setRows(readConditions(written) ?? { join: 'and', rows: [NEW_CONDITION] }),
  };
}

function ExpressionInput({ expression, error }: { expression: ReturnType<typeof useExpression>; error: string }) {
  const { rows, setRows, written, setWritten, canHaveRows, write, build } = expression;
  return (
    <fieldset className={classes.group}>
      <legend>Messages</legend>
      <div className={classes.head}>
        <Switch
          label="Write the expression"
          checked={rows === undefined}
          disabled={!canHaveRows}
          onChange={() => (rows ? write() : build())}
        />
        {!canHaveRows && <span className="dim">Brackets, “not”, or “and” with “or” have no form.</span>}
      </div>
      {rows ? (
        <>
          <ConditionsInput conditions={rows} onChange={setRows} />
          {!expression.isUnfinished && (
            <code className={classes.raw} aria-label="Expression">
              {expression.expression}
            </code>
          )}
        </>
      ) : (
        <Textarea
          aria-label="Expression"
          name="expression"
          autosize
          minRows={2}
          styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12.5 } }}
          placeholder={'match_recipient("orders@.*") and match_header("Subject", "(?i).*late")'}
          value={written}
          onChange={(event) => setWritten(event.currentTarget.value)}
        />
      )}
      {error && (
        <Alert color="red" mt="sm" title="This expression was refused">
          {error}
        </Alert>
      )}
    </fieldset>
  );
}

function useRouteForm(route: Route | undefined, onClose: () => void) {
  const queries = useQueryClient();
  const [description, setDescription] = useState(route?.description ?? '');
  const [priority, setPriority] = useState<number | string>(route?.priority ?? 0);
  const [actions, setActions] = useState(() =>
    route ? readActions(route.actions) : { rows: [NEW_ACTION], isLast: false },
  );
  const expression = useExpression(route?.expression);
  const save = useMutation({
    mutationFn: () =>
      saveRoute(
        {
          description: description.trim(),
          priority: Number(priority),
          expression: expression.expression,
          action: actionsOf(actions),
        },
        route,
      ),
    onSuccess: async () => {
      announce(route ? 'The route is changed.' : 'The route is created.');
      await queries.invalidateQueries({ queryKey: ['routes'] });
      onClose();
    },
  });
  const isUnfinished =
    expression.isUnfinished ||
    priority === '' ||
    actions.rows.some(({ does, target }) => does !== 'store' && target.trim() === '');
  return { description, setDescription, priority, setPriority, actions, setActions, expression, save, isUnfinished };
}

/** What a route is about, and what it does. */
export function RouteDialog({ route, onClose }: { route: Route | undefined; onClose: () => void }) {
  const form = useRouteForm(route, onClose);
  const { save, expression } = form;
  const named = save.error ? fieldOf(save.error, FIELDS) : undefined;
  const errorAt = (field: string): string => (named === field ? sentenceOf(save.error) : '');
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <Dialog onClose={onClose} title={route ? 'Edit route' : 'New route'} size="xl">
      <form onSubmit={submit} onChange={save.reset} noValidate>
        <Stack gap="lg">
          {save.error && named === undefined && (
            <Alert color="red" title="The route was not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <TextInput
            label="Description"
            name="description"
            placeholder="Replies to orders"
            maxLength={1000}
            value={form.description}
            error={errorAt('description')}
            onChange={(event) => form.setDescription(event.currentTarget.value)}
            data-autofocus
          />
          <ExpressionInput expression={expression} error={errorAt('expression')} />
          <fieldset className={classes.group}>
            <legend>What happens with them</legend>
            <ActionsInput actions={form.actions} onChange={form.setActions} />
            {named === 'action' && (
              <Alert color="red" mt="sm" title="An action was refused">
                {errorAt('action')}
              </Alert>
            )}
          </fieldset>
          <NumberInput
            label="Priority"
            name="priority"
            description="Routes are looked at from the lowest number to the highest."
            allowDecimal={false}
            w={260}
            value={form.priority}
            error={errorAt('priority')}
            onChange={form.setPriority}
          />
          <Button type="submit" loading={save.isPending} disabled={form.isUnfinished}>
            Save
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
