import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Lists } from './lists.tsx';
import { OneAddress } from './one-address.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { RESULTS } from './validation-words.ts';
import own from './validations.module.css';

function WhatResultsMean() {
  return (
    <details className={own.meaning}>
      <summary>What results mean</summary>
      <dl>
        {RESULTS.map(({ value, label, about }) => (
          <div key={value}>
            <dt>{label}</dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <p className={own.about}>
        Galley looks at how an address is written, at its domain in DNS, at lists of disposable domains and roles, and
        at what became of your own mail of the last 30 days. It asks the domain’s server only where the operator has
        switched that on; otherwise an address without history stays unknown.
      </p>
    </details>
  );
}

/** Whether addresses can be written to: one at a time, or a list. */
export function ValidationPage() {
  const { canWrite } = useRole('validations');
  const [isUploading, uploading] = useDisclosure();
  return (
    <>
      <PageHead
        title="Address validation"
        lead="What is known of an address before you write to it. Each address counts as one email validation."
      >
        {canWrite && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={uploading.open}>
            Validate a list
          </Button>
        )}
      </PageHead>
      <OneAddress />
      <WhatResultsMean />
      <Lists onUpload={canWrite ? uploading.open : undefined} />
      {isUploading && <UploadDialog onClose={uploading.close} />}
    </>
  );
}
