import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { providersQuery, type Provider } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import classes from './spam.module.css';

function Group({ title, providers }: { title: string; providers: Provider[] }) {
  if (providers.length === 0) return null;
  return (
    <>
      <h3 className={classes.asideTitle}>{title}</h3>
      <ul className={classes.providers}>
        {providers.map(({ domain, display_name: name, about, kind }) => (
          <li key={domain}>
            <strong>{name}</strong>
            <span>{kind === 'mailbox' ? `${domain}: ${about}` : about}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Who gets the message. */
export function Receivers() {
  const { data: providers, error } = useQuery(providersQuery);
  return (
    <section className={classes.aside} aria-labelledby="receivers">
      <h2 id="receivers" className={mailClasses.groupTitle}>
        Receivers
      </h2>
      {error && <p className={mailClasses.aside}>{sentenceOf(error)}</p>}
      {!providers && !error && <Skeleton height={120} />}
      {providers && (
        <>
          <Group title="Consumers" providers={providers.filter(({ category }) => category === 'b2c')} />
          <Group title="Companies" providers={providers.filter(({ category }) => category === 'b2b')} />
          <p className={mailClasses.aside}>
            Galley’s own receivers simulate types of mail systems, not brands. To test a brand, add{' '}
            <Link to="/mailboxes" className={mailClasses.link}>
              seed mailboxes
            </Link>{' '}
            that you own at that provider.
          </p>
        </>
      )}
    </section>
  );
}
