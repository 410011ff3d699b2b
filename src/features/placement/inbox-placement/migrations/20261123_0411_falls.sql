-- The share in the inbox fell beyond noise: { from, before, after }, since which result, from what to what.
alter table placement_results add column fall jsonb;
