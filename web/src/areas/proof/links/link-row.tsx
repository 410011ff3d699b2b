import { ActionIcon, Tooltip } from '@mantine/core';
import { ChevronDownIcon, ChevronRightIcon, ExternalLinkIcon } from '../../../ground/brand/icons.tsx';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { count } from '../../../ground/words.ts';
import { LinkDetails } from './link-details.tsx';
import { milliseconds, type LinkFacts } from './link-facts.ts';
import classes from './links-page.module.css';

const WORDS = { broken: 'Broken', warning: 'Warning', redirect: 'Redirected', ok: 'Works', other: 'Not checked' };

interface LinkRowProps {
  facts: LinkFacts;
  isOpen: boolean;
  isShown: boolean;
  onToggle: () => void;
  onShow: () => void;
}

function certificateText({ certificates }: LinkFacts): { text: string; isBad: boolean } {
  const certificate = certificates[0];
  if (!certificate) return { text: '–', isBad: false };
  if (certificate.problem) return { text: 'not trusted', isBad: true };
  const { days_left: days } = certificate;
  return { text: days === null ? 'valid' : `${days} days`, isBad: days !== null && days < 14 };
}

/** One link in the table, and below it what is known of it when it is opened. */
export function LinkRow({ facts, isOpen, isShown, onToggle, onShow }: LinkRowProps) {
  const { link, verdict, severity, hops, totalMs, contentType, number } = facts;
  const name = link.text || link.url;
  const certificate = certificateText(facts);
  return (
    <>
      <tr className={classes.row} data-on={isShown || undefined}>
        <td className={classes.mark}>
          <SeverityMark severity={verdict === 'other' ? 'info' : severity} />
        </td>
        <th scope="row" className={classes.link}>
          <button
            type="button"
            className={classes.name}
            aria-expanded={isOpen}
            aria-controls={`link-${number}`}
            onClick={onToggle}
          >
            {isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
            <span>{link.text || <em>no link text</em>}</span>
          </button>
          <span className={classes.address}>
            <span className={classes.url}>{link.url}</span>
            {link.line !== undefined && (
              <button
                type="button"
                id={`finding-${number}`}
                className={classes.line}
                aria-pressed={isShown}
                aria-label={`Show ${name} in the message, line ${link.line}`}
                onClick={onShow}
              >
                line {link.line}
              </button>
            )}
          </span>
        </th>
        <td>
          <span className={classes.verdict} data-verdict={verdict}>
            {link.status_code ?? WORDS[verdict]}
          </span>
          <span className={classes.sub}>{link.status_code === undefined ? '' : WORDS[verdict]}</span>
        </td>
        <td className={classes.wide}>
          {hops.length > 1 ? count(hops.length - 1, 'redirect') : hops.length === 1 ? 'straight' : '–'}
          <span className={classes.sub}>{totalMs !== null && milliseconds(totalMs)}</span>
        </td>
        <td className={classes.wide}>
          <span className={classes.type}>{contentType ?? '–'}</span>
        </td>
        <td className={classes.wide}>
          <span data-bad={certificate.isBad || undefined} className={classes.certificate}>
            {certificate.text}
          </span>
        </td>
        <td className={classes.open}>
          {/^https?:/i.test(link.url) && (
            <Tooltip label="Open in a new tab">
              <ActionIcon
                component="a"
                href={link.url}
                target="_blank"
                rel="noreferrer noopener"
                size={28}
                aria-label={`Open ${name}`}
              >
                <ExternalLinkIcon />
              </ActionIcon>
            </Tooltip>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr id={`link-${number}`}>
          <td colSpan={7} className={classes.detailsCell}>
            <LinkDetails facts={facts} />
          </td>
        </tr>
      )}
    </>
  );
}
