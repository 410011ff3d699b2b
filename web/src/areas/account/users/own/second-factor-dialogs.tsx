import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, fieldOf, sentenceOf } from '../../../../ground/api.ts';
import { CopyField } from '../../../../ground/shell/copy-field.tsx';
import { Dialog } from '../../../../ground/shell/dialog.tsx';
import { CurrentPassword } from './current-password.tsx';
import { OWN_SESSIONS_KEY, OWN_USER_KEY } from './own-query.ts';
import { CodeField, ProofForm } from './proof-form.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const about = (error: Error | null, field: string): string | false =>
  fieldOf(error, [field]) !== undefined && sentenceOf(error);

function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: OWN_USER_KEY });
    await queries.invalidateQueries({ queryKey: OWN_SESSIONS_KEY });
  };
}

interface Begun {
  secret: string;
  url: string;
}

function Confirm({ begun, onConfirmed }: { begun: Begun; onConfirmed: (codes: string[]) => void }) {
  const [code, setCode] = useState('');
  const refresh = useRefresh();
  const confirm = useMutation({
    mutationFn: () => api.call('POST /v5/users/me/second-factor/confirmation', { body: { code } }),
    onSuccess: async ({ recovery_codes: codes }) => {
      onConfirmed(codes);
      await refresh();
    },
  });
  return (
    <ProofForm error={confirm.error} title="The second factor is not on" fields={['code']} onSubmit={confirm.mutate}>
      <Text size="sm">Read the picture with your authenticator app, or give it the key below.</Text>
      <QrCode text={begun.url} label="QR code for your authenticator app" />
      <CopyField label="Key" value={begun.secret} />
      <CodeField
        value={code}
        description="The six digits that your app shows now."
        error={about(confirm.error, 'code')}
        onChange={setCode}
      />
      <Button type="submit" loading={confirm.isPending} disabled={code.trim() === ''}>
        Turn on
      </Button>
    </ProofForm>
  );
}

/** Sets up an app, in three steps: the password, a first code, and the recovery codes. */
export function TurnOnDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [codes, setCodes] = useState<string[]>();
  const begin = useMutation({
    mutationFn: () => api.call('POST /v5/users/me/second-factor', { body: { current_password: password } }),
  });
  return (
    <Dialog onClose={onClose} title="Turn on a second factor" closeOnClickOutside={!begin.data}>
      {codes && <RecoveryCodes codes={codes} onClose={onClose} />}
      {begin.data && !codes && <Confirm begun={begin.data} onConfirmed={setCodes} />}
      {!begin.data && (
        <ProofForm
          error={begin.error}
          title="The second factor is not on"
          fields={['current_password']}
          onSubmit={begin.mutate}
        >
          <CurrentPassword value={password} error={about(begin.error, 'current_password')} onChange={setPassword} />
          <Button type="submit" loading={begin.isPending} disabled={password === ''}>
            Go on
          </Button>
        </ProofForm>
      )}
    </Dialog>
  );
}

interface Proofs {
  current_password: string;
  code: string;
}

interface ProvenDialogProps<Result> {
  title: string;
  text: string;
  /** What the button that does it says. */
  confirm: string;
  failed: string;
  work: (proofs: Proofs) => Promise<Result>;
  done?: (result: Result) => ReactNode;
  onClose: () => void;
}

/** A change that takes the password and a code. */
function ProvenDialog<Result>({ title, text, confirm, failed, work, done, onClose }: ProvenDialogProps<Result>) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const refresh = useRefresh();
  const change = useMutation({
    mutationFn: () => work({ current_password: password, code }),
    onSuccess: async () => {
      if (!done) onClose();
      await refresh();
    },
  });
  return (
    <Dialog onClose={onClose} title={title} closeOnClickOutside={!change.data}>
      {change.data && done ? (
        done(change.data)
      ) : (
        <ProofForm error={change.error} title={failed} fields={['current_password', 'code']} onSubmit={change.mutate}>
          <Text size="sm">{text}</Text>
          <CurrentPassword value={password} error={about(change.error, 'current_password')} onChange={setPassword} />
          <CodeField
            value={code}
            description="The six digits that your app shows now, or a recovery code."
            error={about(change.error, 'code')}
            onChange={setCode}
          />
          <Button type="submit" loading={change.isPending} disabled={password === '' || code.trim() === ''}>
            {confirm}
          </Button>
        </ProofForm>
      )}
    </Dialog>
  );
}

export function TurnOffDialog({ onClose }: { onClose: () => void }) {
  return (
    <ProvenDialog
      title="Turn the second factor off?"
      text="Your password alone signs you in from then on. Your recovery codes stop working."
      confirm="Turn off"
      failed="The second factor is still on"
      work={(body) => api.call('DELETE /v5/users/me/second-factor', { body })}
      onClose={onClose}
    />
  );
}

export function NewCodesDialog({ onClose }: { onClose: () => void }) {
  return (
    <ProvenDialog
      title="Make new recovery codes"
      text="The codes that you have now stop working."
      confirm="Make new codes"
      failed="Your recovery codes are the same as before"
      work={(body) => api.call('POST /v5/users/me/second-factor/recovery-codes', { body })}
      done={({ recovery_codes: codes }) => <RecoveryCodes codes={codes} onClose={onClose} />}
      onClose={onClose}
    />
  );
}
