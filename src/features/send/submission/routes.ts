import { endpoint } from '../../../platform/feature/index.ts';
import { getSubmission } from './contract.ts';

/** 0 is a free port, which only the log names. */
const portOf = (port: number | undefined): number | null => port || null;

export const endpoints = [
  endpoint(getSubmission, async ({ config, baseUrl }) => ({
    host: new URL(baseUrl).hostname,
    port: portOf(config.submission.port),
    tls_port: portOf(config.submission.tlsPort),
  })),
];
