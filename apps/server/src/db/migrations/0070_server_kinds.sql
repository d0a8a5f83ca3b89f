-- How the panel reaches a card server: by the API that an agent speaks, or by OSCam's own web interface. The
-- fingerprint is that of the certificate which an administrator has confirmed; without encryption, passwords
-- cross a public network only after their word.
alter table cccam_servers add column if not exists kind text not null default 'api'
  check (kind in ('api', 'oscam_webif'));
alter table cccam_servers add column if not exists tls_fingerprint text collate "C";
alter table cccam_servers add column if not exists plain_http_allowed boolean not null default false;
