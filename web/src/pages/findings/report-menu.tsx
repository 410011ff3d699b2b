import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { api, sentenceOf } from '../../api.ts';
import { DownloadIcon } from '../../brand/icons.tsx';
import { CHECKS, type CheckName } from '../../report/checks.ts';
import type { Inspection } from '../../report/report-api.ts';
import { tell } from '../../shell/ask.ts';

const FORMATS = [
  { format: 'sarif', name: 'SARIF', ending: 'sarif' },
  { format: 'junit', name: 'JUnit', ending: 'xml' },
  { format: 'json', name: 'JSON', ending: 'json' },
] as const;

type Format = (typeof FORMATS)[number];

async function download(check: CheckName, id: string, { format, ending }: Format): Promise<void> {
  try {
    const report = await api.call('GET /v1/inspections/{id}/report', { path: { id }, query: { format } });
    const text = typeof report === 'string' ? report : JSON.stringify(report, null, 2);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text]));
    link.download = `${CHECKS[check].page}.${ending}`;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    tell({ color: 'red', title: 'The report was not made', message: sentenceOf(error) });
  }
}

/** The findings of a check as a file, for other tools. */
export function ReportMenu({ inspections }: { inspections: ReadonlyMap<CheckName, Inspection> }) {
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label="Report for other tools"><ActionIcon variant="default" size={34} aria-label="Report"><DownloadIcon /></ActionIcon></Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {[...inspections].map(([check, { id }]) => (
          <div key={check} role="group" aria-label={CHECKS[check].name}>
            <Menu.Label>{CHECKS[check].name}</Menu.Label>
            {FORMATS.map((format) => <Menu.Item key={format.format} onClick={() => void download(check, id, format)}>{format.name}</Menu.Item>)}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
