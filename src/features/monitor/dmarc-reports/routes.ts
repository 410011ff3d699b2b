import { AppError } from '../../../platform/errors/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { fileOf } from '../../../platform/http/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import * as contracts from './contract.ts';
import { describeDomain, describeDomains, daysOf, sumsOf } from './figures.ts';
import { listRows, sumBy } from './figures-store.ts';
import { takeReports } from './ingest.ts';
import { describeRecord, domainOf, openInbox, type WantedTags } from './record.ts';
import { deleteReport, listReports } from './store.ts';
import { countsView, groupView, reportView, rowView } from './view.ts';

export const endpoints = [
  endpoint(contracts.getRecord, (ctx, { params, query }) =>
    describeRecord(ctx, domainOf(params.domain), query as WantedTags),
  ),
  endpoint(contracts.getSetup, async (ctx) => {
    const { localPart, createdAt, lastReportAt, address } = await openInbox(ctx);
    const last = lastReportAt?.toISOString() ?? null;
    const created = createdAt.toISOString();
    return {
      InstanceID: localPart.replace('dmarc-', ''),
      LastAccessed: last,
      CreatedAt: created,
      UpdatedAt: last ?? created,
      address,
    };
  }),
  endpoint(contracts.createReferral, async (ctx) => ({
    referral_uri: `${ctx.config.publicUrl || ctx.baseUrl}/dmarc`,
  })),
  endpoint(contracts.listDomains, (ctx, { query }) => describeDomains(ctx, daysOf(ctx.clock.now(), query))),
  endpoint(contracts.getDomain, (ctx, { params, query }) =>
    describeDomain(ctx, domainOf(params.domain), daysOf(ctx.clock.now(), query)),
  ),
  endpoint(contracts.getSource, async (ctx, { params, query }) => {
    const { source } = params;
    const filter = { ...daysOf(ctx.clock.now(), query), domain: domainOf(params.domain), source };
    const { pfqr_chart } = await sumsOf(ctx, filter);
    const hosts = await sumBy(ctx.db, ctx.principal.accountId, { ...filter, by: 'host' });
    return {
      source,
      hosts: hosts.map((host) => ({ host: host.name || 'unknown', ...groupView(host) })),
      pfqr_chart,
    };
  }),
  endpoint(contracts.getHost, async (ctx, { params, query }) => {
    const { source, host } = params;
    const filter = { ...daysOf(ctx.clock.now(), query), domain: domainOf(params.domain), source, host };
    const { pfqr_chart } = await sumsOf(ctx, filter);
    const ips = await sumBy(ctx.db, ctx.principal.accountId, { ...filter, by: 'sourceIp' });
    return { host, ips: ips.map((ip) => ({ ip: ip.name, ...groupView(ip) })), pfqr_chart };
  }),
  endpoint(contracts.getAddress, async (ctx, { params, query }) => {
    const { source, host, ip } = params;
    const filter = { ...daysOf(ctx.clock.now(), query), domain: domainOf(params.domain), source, host, ip };
    const { sums, pfqr_chart } = await sumsOf(ctx, filter);
    const rows = await listRows(ctx.db, ctx.principal.accountId, filter);
    return { ip, ...countsView(sums), rows: rows.map(rowView), pfqr_chart };
  }),
  endpoint(contracts.listReports, async (ctx, { query }) => {
    const domain = query.domain?.toLowerCase();
    const { items, total } = await listReports(ctx.db, ctx.principal.accountId, { ...query, kind: query.kind, domain });
    return {
      items: items.map(reportView),
      ...countedPaging(`${ctx.baseUrl}/v1/dmarc/reports`, query, total),
    };
  }),
  endpoint(contracts.uploadReports, async (ctx, { body }) => {
    const { fileName, bytes } = fileOf('file', body.file);
    const { address } = await openInbox(ctx);
    const { accepted, duplicates, refused } = await takeReports(ctx, ctx.principal.accountId, {
      file: { name: fileName.slice(0, 200) || 'file', bytes },
      arrival: { via: 'upload', address, vouchedBy: null },
      urgency: 'answer',
    });
    return {
      accepted: accepted.map(({ reportId, ...report }) => ({ ...report, report_id: reportId })),
      duplicates,
      refused,
    };
  }),
  endpoint(contracts.deleteReport, async (ctx, { params }) => {
    if (!(await deleteReport(ctx.db, ctx.principal.accountId, params.report_id)))
      throw new AppError('not_found', 'Report not found');
    return { message: 'The report has been deleted' };
  }),
];
