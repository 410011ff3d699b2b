import { Alert, Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { calendarDay, moment } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import classes from '../../../shared/send/send.module.css';
import { CHECKS, OUTCOMES, reasonWords, RESULTS, RISKS } from './validation-words.ts';
import type { Validation } from './validations-api.ts';
import own from './validations.module.css';

function Checks({ checks }: Pick<Validation, 'checks'>) {
  return (
    <Sideways label="What was checked, table" minWidth={520}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Outcome</th>
            <th scope="col">What it says</th>
          </tr>
        </thead>
        <tbody>
          {checks.map(({ check, outcome, text, as_of: date }) => (
            <tr key={check}>
              <td>{CHECKS[check]}</td>
              <td>
                <Chip tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</Chip>
              </td>
              <td>
                {text}
                {date !== undefined && (
                  <span className="dim">
                    {check === 'probe' ? ` Asked ${moment(new Date(date))}.` : ` List of ${calendarDay(date)}.`}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

interface FoundProps {
  validation: Validation;
  onMeant: (address: string) => void;
}

function Found({ validation, onMeant }: FoundProps) {
  const { address, result, risk, reason, did_you_mean: meant, root_address: root, engagement, checks } = validation;
  const words = RESULTS.find(({ value }) => value === result)!;
  const riskWords = RISKS.find(({ value }) => value === risk)!;
  return (
    <section aria-label="Result" className={own.found}>
      <h3 className={own.address}>
        <bdi>{address}</bdi>
      </h3>
      <p className={own.chips}>
        <Chip tone={words.tone}>{words.label}</Chip>
        <Chip tone={riskWords.tone}>{riskWords.label}</Chip>
        {engagement && <Chip>{engagement.engagement}</Chip>}
      </p>
      <p className={own.about}>{words.about}</p>
      {reason.length > 0 && (
        <ul className={own.reasons}>
          {reason.map((one) => (
            <li key={one}>{reasonWords(one)}</li>
          ))}
        </ul>
      )}
      {meant !== null && (
        <p className={own.about}>
          Did you mean <strong>{meant}</strong>?{' '}
          <Button size="compact-xs" variant="default" onClick={() => onMeant(meant)}>
            Validate that one
          </Button>
        </p>
      )}
      {root !== null && root !== address && (
        <p className={own.about}>
          The same mailbox as <bdi>{root}</bdi>.
        </p>
      )}
      <Checks checks={checks} />
    </section>
  );
}

/** One address, with everything that is known of it. */
export function OneAddress() {
  const [address, setAddress] = useState('');
  const validate = useMutation({
    mutationFn: (given: string) => api.call('POST /v4/address/validate', { body: { address: given.trim() } }),
  });
  const isOfAddress = validate.error !== null && fieldOf(validate.error, ['address']) === 'address';
  const submit = (event: FormEvent): void => (event.preventDefault(), validate.mutate(address));
  return (
    <section aria-labelledby="one-address">
      <h2 id="one-address" className={classes.part}>
        One address
      </h2>
      <form className={own.form} onSubmit={submit} noValidate>
        <TextInput
          label="Address"
          name="address"
          placeholder="ann@example.com"
          maxLength={512}
          value={address}
          error={isOfAddress && sentenceOf(validate.error)}
          onChange={(event) => (setAddress(event.currentTarget.value), validate.reset())}
        />
        <Button type="submit" loading={validate.isPending} disabled={address.trim() === ''}>
          Validate
        </Button>
      </form>
      {validate.error && !isOfAddress && (
        <Alert color="red" mb="lg" title="The address was not validated">
          {sentenceOf(validate.error)}
        </Alert>
      )}
      {validate.data && (
        <Found validation={validate.data} onMeant={(meant) => (setAddress(meant), validate.mutate(meant))} />
      )}
    </section>
  );
}
