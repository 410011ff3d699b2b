import { ActionIcon, Menu } from '@mantine/core';
import { sentenceOf } from '../../ground/api.ts';
import { DownloadIcon } from '../../ground/brand/icons.tsx';
import { tell } from '../../ground/shell/ask.ts';

const FORMATS = {
  sarif: { name: 'SARIF', ending: 'sarif' },
  junit: { name: 'JUnit', ending: 'xml' },
  markdown: { name: 'Markdown', ending: 'md' },
  json: { name: 'JSON', ending: 'json' },
  github: { name: 'GitHub annotations', ending: 'txt' },
  pretty: { name: 'Text', ending: 'txt' },
} as const;

type ReportFormat = keyof typeof FORMATS;

/** What a report is made of. */
interface Reported {
  name: string;
  /** Of the file, without its ending. */
  file: string;
  load: (format: ReportFormat) => Promise<unknown>;
}

async function download({ file, load }: Reported, format: ReportFormat): Promise<void> {
  try {
    const report = await load(format);
    const text = typeof report === 'string' ? report : JSON.stringify(report, null, 2);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text]));
    link.download = `${file}.${FORMATS[format].ending}`;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    tell({ color: 'red', title: 'The report was not created', message: sentenceOf(error) });
  }
}

/** Findings as a file, for other tools. */
export function ReportMenu({ reported, formats }: { reported: readonly Reported[]; formats: readonly ReportFormat[] }) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" size={34} aria-label="Report" title="Report for other tools">
          <DownloadIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {reported.map((one) => (
          <div key={one.name} role="group" aria-label={one.name}>
            <Menu.Label>{one.name}</Menu.Label>
            {formats.map((format) => (
              <Menu.Item key={format} onClick={() => void download(one, format)}>
                {FORMATS[format].name}
              </Menu.Item>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
