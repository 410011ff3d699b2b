import { ActionIcon, Alert, Button, Skeleton, Tooltip } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api, sentenceOf } from '../../../../ground/api.ts';
import { PencilIcon, TrashIcon } from '../../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../../ground/shell/ask.ts';
import { laterPart } from '../../../../ground/shell/later-part.tsx';
import { Ago } from '../../../../ground/shell/when.tsx';
import { passkeyProblem } from '../../../../shared/sign-in/passkeys.ts';
import { waysQuery } from '../../../../shared/sign-in/ways.ts';
import { NewPasskeyDialog } from './new-passkey-dialog.tsx';
import { PASSKEYS_KEY, passkeysQuery, type OwnUser, type Passkey } from './own-query.ts';
import classes from './own.module.css';

const RenameDialog = laterPart(async () => (await import('../../../../ground/shell/rename-dialog.tsx')).RenameDialog);

const NAME_LENGTH_MAX = 100;

function useDelete() {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (id: string) => api.call('DELETE /v5/users/me/passkeys/{passkey_id}', { path: { passkey_id: id } }),
    onSuccess: () => tell({ message: 'The passkey is deleted.' }),
    onError: (error) => tell({ color: 'red', title: 'The passkey was not deleted', message: sentenceOf(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: PASSKEYS_KEY }),
  });
  const askFirst = ({ id, name }: Passkey): void =>
    ask({
      title: `Delete the passkey ${name}?`,
      text:
        'It signs nobody in from then on. Your device may go on offering it until you delete it there, too. Sessions ' +
        'that it began go on until you end them.',
      confirm: 'Delete passkey',
      onConfirm: () => remove.mutate(id),
    });
  return { isPending: remove.isPending, askFirst };
}

interface RowProps {
  passkey: Passkey;
  isDeleting: boolean;
  onRename: () => void;
  onDelete: () => void;
}

function PasskeyRow({ passkey, isDeleting, onRename, onDelete }: RowProps) {
  const { name, domain, is_backed_up: isBackedUp, created_at: made, last_used_at: used } = passkey;
  return (
    <li>
      <div className={classes.what}>
        {name}
        <div className={classes.more}>
          made <Ago at={new Date(made)} /> · {used === null ? 'never used' : <UsedAgo at={used} />}
          {isBackedUp && ' · a copy is kept elsewhere'}
          {domain !== window.location.hostname && ` · works at ${domain} alone`}
        </div>
      </div>
      <Tooltip label="Rename">
        <ActionIcon aria-label={`Rename the passkey ${name}`} onClick={onRename}>
          <PencilIcon />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Delete">
        <ActionIcon aria-label={`Delete the passkey ${name}`} disabled={isDeleting} onClick={onDelete}>
          <TrashIcon />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

function UsedAgo({ at }: { at: string }) {
  return (
    <>
      last used <Ago at={new Date(at)} />
    </>
  );
}

/** Why this browser cannot make one; undefined where it can, or while that is not known. */
function useProblem(refusal: string | null | undefined): string | undefined {
  const { data: ways } = useQuery(waysQuery);
  return refusal ?? passkeyProblem(ways?.passkeys);
}

/** Keys in the person's devices, which sign in without a password. */
export function Passkeys({ user }: { user: OwnUser }) {
  const { data, error, isPending } = useQuery(passkeysQuery);
  const problem = useProblem(data?.refusal);
  const [isAdding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey>();
  const queries = useQueryClient();
  const remove = useDelete();
  const rename = async (name: string): Promise<void> => {
    await api.call('PATCH /v5/users/me/passkeys/{passkey_id}', { path: { passkey_id: renamed!.id }, body: { name } });
    await queries.invalidateQueries({ queryKey: PASSKEYS_KEY });
  };
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p className={classes.about}>
        A passkey is a key in your phone, your computer or a security key. It signs you in with your fingerprint, your
        face or a PIN: without your password, and without a code of your second factor.
      </p>
      {error && (
        <Alert color="red" title="Your passkeys could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={80} />}
      {data && data.total > 0 && (
        <ul className={classes.list} aria-label="Your passkeys">
          {data.items.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isDeleting={remove.isPending}
              onRename={() => setRenamed(passkey)}
              onDelete={() => remove.askFirst(passkey)}
            />
          ))}
        </ul>
      )}
      {data &&
        (problem === undefined ? (
          <Button mt={data.total > 0 ? 'md' : 0} onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        ) : (
          <Alert mt={data.total > 0 ? 'md' : 0} title="You cannot add a passkey here">
            {problem}
          </Alert>
        ))}
      <Suspense>
        {renamed && (
          <RenameDialog
            noun="passkey"
            name={renamed.name}
            lengthMax={NAME_LENGTH_MAX}
            save={rename}
            onClose={() => setRenamed(undefined)}
          />
        )}
      </Suspense>
      {isAdding && <NewPasskeyDialog user={user} onClose={() => setAdding(false)} />}
    </section>
  );
}
