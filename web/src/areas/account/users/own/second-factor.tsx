import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../../../ground/api.ts';
import { When } from '../../../../ground/shell/when.tsx';
import { secondFactorQuery, type OwnUser } from './own-query.ts';
import classes from './own.module.css';
import { NewCodesDialog, TurnOffDialog, TurnOnDialog } from './second-factor-dialogs.tsx';

interface PartProps {
  onOpen: (dialog: Open) => void;
}

type Open = 'on' | 'off' | 'codes';

function Off({ user, onOpen }: PartProps & { user: OwnUser }) {
  const hasPassword = user.password_updated_at !== null;
  return (
    <>
      <p className={classes.about}>
        It is off. When it is on, signing in by password asks for a code from an app on your phone, too: whoever learns
        your password does not get in with it.
        {!hasPassword && ' Choose a password first.'}
      </p>
      <Button disabled={!hasPassword} onClick={() => onOpen('on')}>
        Turn on a second factor
      </Button>
    </>
  );
}

interface OnProps extends PartProps {
  since: string;
  codesLeft: number;
}

function On({ since, codesLeft, onOpen }: OnProps) {
  return (
    <>
      <p className={classes.about}>
        It is on since <When at={new Date(since)} />. Signing in by password asks for a code from your app, too.{' '}
        {codesLeft === 1 ? 'One recovery code is left.' : `${codesLeft} recovery codes are left.`}
      </p>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => onOpen('codes')}>
          Make new recovery codes
        </Button>
        <Button variant="default" onClick={() => onOpen('off')}>
          Turn off
        </Button>
      </div>
    </>
  );
}

/** Codes of an authenticator app after the password. */
export function SecondFactor({ user }: { user: OwnUser }) {
  const { data, error, isPending } = useQuery(secondFactorQuery);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  return (
    <section aria-labelledby="second-factor">
      <h2 id="second-factor">Second factor</h2>
      {error && (
        <Alert color="red" title="Your second factor could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={80} />}
      {data?.is_on === false && <Off user={user} onOpen={setOpen} />}
      {data?.is_on === true && (
        <On since={data.created_at ?? ''} codesLeft={data.recovery_codes_left} onOpen={setOpen} />
      )}
      {open === 'on' && <TurnOnDialog onClose={close} />}
      {open === 'off' && <TurnOffDialog onClose={close} />}
      {open === 'codes' && <NewCodesDialog onClose={close} />}
    </section>
  );
}
