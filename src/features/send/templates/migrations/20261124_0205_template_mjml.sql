-- The MJML that the template was compiled from; empty where its HTML was written by hand.
alter table template_versions add column mjml text not null default '';
