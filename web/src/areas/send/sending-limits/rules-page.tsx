import { Alert, Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { TabNav } from '../../../shared/report/tab-nav.tsx';
import { BreakerPart } from './breaker.tsx';
import { CalendarPart } from './calendar.tsx';
import { LimitsPart } from './limits.tsx';
import { RULES, type RuleName, type RulesSearch } from './rules-search.ts';
import classes from './rules.module.css';

const LABELS: Record<RuleName, string> = {
  calendar: 'Calendar',
  limits: 'Limits',
  breaker: 'Circuit breaker',
};

function Tabs({ shown, domain }: { shown: RuleName; domain: string | undefined }) {
  return (
    <div className={classes.tabs}>
      <TabNav label="Rules">
        {RULES.map((name) => (
          <Link
            key={name}
            to="/sending-rules"
            search={{ ...(name !== 'calendar' && { show: name }), ...(domain !== undefined && { domain }) }}
            className={reportClasses.tab}
            activeOptions={{ exact: true }}
            activeProps={{}}
            aria-current={name === shown ? 'page' : undefined}
          >
            {LABELS[name]}
          </Link>
        ))}
      </TabNav>
    </div>
  );
}

/** What is set for each domain by itself. */
function OfDomain({ shown, search }: { shown: 'calendar' | 'breaker'; search: RulesSearch }) {
  const navigate = useNavigate();
  const { data, error } = useQuery(domainsQuery);
  const names = (data ?? [])
    .toSorted((a, b) => Number(a.type === 'sandbox') - Number(b.type === 'sandbox'))
    .map(({ name }) => name);
  const domain = search.domain ?? names[0];
  if (error)
    return (
      <Alert color="red" title="The domains could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (data?.length === 0)
    return (
      <Notice
        title="Add a sending domain first"
        action={<Button renderRoot={(props) => <Link to="/domains" {...props} />}>Sending domains</Button>}
      >
        Each domain has a calendar and a circuit breaker of its own.
      </Notice>
    );
  if (domain === undefined) return null;
  const Part = shown === 'calendar' ? CalendarPart : BreakerPart;
  return (
    <>
      <div className={classes.toolbar}>
        <Select
          label="Sending domain"
          allowDeselect={false}
          searchable
          w={300}
          maw="100%"
          value={domain}
          data={names.includes(domain) ? names : [domain, ...names]}
          onChange={(value) =>
            value &&
            void navigate({
              to: '/sending-rules',
              search: { ...(shown !== 'calendar' && { show: shown }), domain: value },
              replace: true,
            })
          }
        />
      </div>
      <Part key={domain} domain={domain} />
    </>
  );
}

/** When messages leave, how many, and what stops a batch. */
export function RulesPage() {
  const search = useSearch({ from: '/shell/sending-rules' });
  const { show: shown = 'calendar' } = search;
  return (
    <>
      <PageHead title="Sending rules" lead="When messages leave, how many, and what stops a batch that goes badly." />
      <Tabs shown={shown} domain={search.domain} />
      {shown === 'limits' ? <LimitsPart /> : <OfDomain shown={shown} search={search} />}
    </>
  );
}
