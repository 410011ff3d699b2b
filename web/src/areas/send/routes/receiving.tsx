// What routes need, and how they work, for who reads no guide.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { domainQuery, domainsQuery } from '../../../shared/mail/mail-api.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import classes from './routes.module.css';

/** The MX record that brings mail here, of the first domain that is no sandbox. */
export function MxRecord() {
  const domains = useQuery(domainsQuery);
  const name = domains.data?.find(({ type }) => type !== 'sandbox')?.name;
  const { data: domain } = useQuery({ ...domainQuery(name ?? ''), enabled: name !== undefined });
  if (domains.data && name === undefined)
    return (
      <p className={classes.about}>
        Add a domain first. Its page shows the MX record that brings its mail here.{' '}
        <Button size="compact-xs" variant="default" renderRoot={(props) => <Link to="/domains" {...props} />}>
          Sending domains
        </Button>
      </p>
    );
  const record = domain?.receiving_dns_records[0];
  if (!record) return null;
  const { valid } = record;
  return (
    <>
      <p className={classes.about}>
        Point the MX record of <bdi>{name}</bdi> at this installation, so that its mail comes in here.{' '}
        {valid === 'valid' ? <Chip tone="good">found</Chip> : <Chip tone="doubt">not found so far</Chip>}
      </p>
      <div className={classes.mx}>
        <CopyField label="MX name" value={record.name} />
        <CopyField label="MX value" value={`${record.priority ?? 10} ${record.value}`} />
      </div>
    </>
  );
}

/** The guide to receiving, in short. */
export function HowRoutesWork({ withMx }: { withMx: boolean }) {
  return (
    <details className={classes.how}>
      <summary>How routes work</summary>
      {withMx && <MxRecord />}
      <p className={classes.about}>
        Routes are looked at by priority, the lowest number first. Each one that is about a message counts, until one
        stops. A message that no route is about is refused while it is delivered, so that its sender is told.
      </p>
      <p className={classes.about}>
        Patterns are regular expressions of RE2. They match from the beginning of the text on; end one with $ where
        nothing may follow. Capitals do not count in recipients; in header fields they do, unless the pattern begins
        with (?i). \g&lt;name&gt; and \1 in a target stand for what groups of the expression found.
      </p>
      <p className={classes.about}>
        A URL gets a signed form: fields, header fields and files. One that ends in “mime” gets the whole message as it
        came. Check the signature with the signing key on the page{' '}
        <Link to="/webhooks" className={classes.link}>
          Webhooks
        </Link>
        . Answer with 2xx. 406 ends the attempts; after any other answer Galley tries again after 10, 15 and 30 minutes,
        and after 1, 2 and 4 hours.
      </p>
      <p className={classes.about}>
        Every message that a route takes is kept for as long as its domain says (three days by default). The fields of
        the form and all bounds are in docs/guides/receiving.md of the source, the operations in the{' '}
        <a href="/docs" className={classes.link}>
          API reference
        </a>
        .
      </p>
    </details>
  );
}
