import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { nodeOptions } from '../steps.mjs'
import { readEnvironmentFile } from './environment-file.mjs'

export type Choices = {
  checkout: string
  dataDir: string
  backupDir: string
  port: number
  domain: string
}

export type PlannedFile = {
  path: string
  text: string
  mode: number
  /** Settings belong to the administrator: written once, never again. */
  once?: true
}

export const settingsFile = '/etc/pmb/pmb.env'
export const serviceUser = 'pmb'
export const units = ['pmb.service', 'pmb-backup.timer', 'pmb-restore-test.timer'] as const

const checkout = path.resolve(import.meta.dirname, '../..')

type Options = { domain?: string; port?: string; data?: string; backups?: string }

/** The first run's choices, read from the settings; before that from the command line, or the defaults. */
export function readChoices({ domain, port, data, backups }: Options, file = settingsFile): Choices {
  const settings: Record<string, string> = fs.existsSync(file) ? readEnvironmentFile(file) : {}
  const host = settings.PUBLIC_URL && new URL(settings.PUBLIC_URL).host
  const choices = {
    checkout,
    dataDir: settings.PMB_DATA_DIR || data || '/var/lib/pmb',
    backupDir: settings.BACKUP_DIR || backups || '/var/backups/pmb',
    port: Number(settings.PORT || port || 3000),
    domain: host || domain || 'pmb.example.ac.id',
  }
  for (const folder of [choices.dataDir, choices.backupDir])
    if (!/^\/[\w./-]+$/.test(folder)) throw new Error(`${folder} has to be a whole path of letters, digits, - and _.`)
  if (!/^[\w.-]+(:\d+)?$/.test(choices.domain))
    throw new Error(`${choices.domain} is no domain such as pmb.example.ac.id.`)
  if (!Number.isInteger(choices.port) || choices.port < 1024 || choices.port > 65_535)
    throw new Error('The port has to lie between 1024 and 65535; the proxy listens on 443.')
  return choices
}

const checksumOf = (text: string) => crypto.createHash('sha256').update(text).digest('hex').slice(0, 16)
const mark = 'written by npm run install-service; checksum'

/** First line of a written file, which tells later runs whether somebody has edited the rest. */
const marked = (text: string) => `# PMB Online, ${mark} ${checksumOf(text)}\n${text}`

/** Whether a file is unchanged since this or an earlier version wrote it. */
export function isUnedited(text: string): boolean {
  const [, checksum, rest] = /^# PMB Online, .*checksum (\w{16})\n([\s\S]*)$/.exec(text) ?? []
  return checksum !== undefined && checksum === checksumOf(rest!)
}

/** Restrictions of every unit. V8 writes code while it runs, so MemoryDenyWriteExecute cannot be set. */
const hardening = ({ dataDir, backupDir }: Choices) => `NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ReadWritePaths=${dataDir} ${backupDir}
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
UMask=0027`

const program = ({ checkout }: Choices, file: string) =>
  `${checkout}/node_modules/node/bin/node ${nodeOptions.join(' ')} apps/server/src/${file}`

const identity = ({ checkout }: Choices) => `User=${serviceUser}
Group=${serviceUser}
WorkingDirectory=${checkout}
EnvironmentFile=${settingsFile}
Environment=NODE_ENV=production`

const server = (choices: Choices) => `# Changes of yours: systemctl edit pmb

[Unit]
Description=PMB Online, admission of new students
Documentation=file://${choices.checkout}/docs/operating.md
Wants=network-online.target
After=network-online.target postgresql.service
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
Type=exec
${identity(choices)}
ExecStart=${program(choices, 'main.mjs')}
Restart=on-failure
RestartSec=5
# The server gets the signal first and stops its database in order; it takes 30 seconds at most.
KillMode=mixed
TimeoutStopSec=60
LimitNOFILE=65536
TasksMax=512
OOMPolicy=continue
${hardening(choices)}

[Install]
WantedBy=multi-user.target
`

const task = (choices: Choices, description: string, command: string, after = '') => `[Unit]
Description=${description}
Documentation=file://${choices.checkout}/docs/operating.md
${after && `After=${after}\n`}
[Service]
Type=oneshot
${identity(choices)}
ExecStart=${program(choices, command)}
Nice=10
IOSchedulingClass=idle
TimeoutStartSec=6h
${hardening(choices)}
`

const timer = (description: string, when: string) => `# Another time: systemctl edit, with an empty OnCalendar= first

[Unit]
Description=${description}

[Timer]
OnCalendar=${when}
RandomizedDelaySec=10min
Persistent=yes

[Install]
WantedBy=timers.target
`

const settings = ({
  dataDir,
  backupDir,
  port,
  domain,
}: Choices) => `# Settings of PMB Online, read by its units; all of them are explained in .env.example.
# After a change: systemctl restart pmb. After another folder: sudo npm run install-service as well.
PORT=${port}
HOST=127.0.0.1
PUBLIC_URL=https://${domain}
# No invented university and no known passwords.
DEMO=false
# One proxy on this machine, which writes X-Forwarded-For anew.
TRUST_PROXY=1
PMB_DATA_DIR=${dataDir}
BACKUP_DIR=${backupDir}

# Without it the PostgreSQL that the product brings along is used.
#DATABASE_URL=postgres://pmb:password@localhost/pmb
#SMTP_URL=smtp://user:password@mail.example.ac.id:587
#MAIL_FROM=PMB <pmb@example.ac.id>
`

const caddy = ({
  domain,
  port,
}: Choices) => `# For /etc/caddy/Caddyfile: Caddy gets the certificate and renews it by itself.
${domain} {
	# Uploads may have 30 MB.
	request_body {
		max_size 32MB
	}
	header Strict-Transport-Security "max-age=31536000"
	# Caddy sets X-Forwarded-For, -Host and -Proto itself and believes no client's. The product compresses what it answers.
	reverse_proxy 127.0.0.1:${port} {
		# Uploads, exports and progress pass as they come.
		flush_interval -1
		# Over an update, requests wait for the server instead of failing.
		lb_try_duration 30s
		lb_try_interval 250ms
		transport http {
			read_timeout 150s
		}
	}
}
`

const nginx = ({
  domain,
  port,
}: Choices) => `# For /etc/nginx/sites-available/pmb; certificate: certbot certonly --nginx -d ${domain}
upstream pmb {
    server 127.0.0.1:${port};
    keepalive 32;
}

server {
    listen 80;
    listen [::]:80;
    server_name ${domain};
    return 301 https://$host$request_uri;
}

server {
    listen 443 ssl http2;
    listen [::]:443 ssl http2;
    server_name ${domain};

    ssl_certificate     /etc/letsencrypt/live/${domain}/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/${domain}/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_session_cache shared:pmb:10m;
    add_header Strict-Transport-Security "max-age=31536000" always;

    # Uploads may have 30 MB.
    client_max_body_size 32m;

    location / {
        proxy_pass http://pmb;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        # The client's own header is replaced, not added to: TRUST_PROXY=1 believes exactly this one address.
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        # Uploads, exports and progress pass as they come.
        proxy_request_buffering off;
        proxy_buffering off;
        proxy_read_timeout 150s;
    }
}
`

/** Every file of an installation. */
export function planFiles(choices: Choices): PlannedFile[] {
  const inUnits = (name: string, text: string): PlannedFile => ({
    path: `/etc/systemd/system/${name}`,
    text: marked(text),
    mode: 0o644,
  })
  return [
    { path: settingsFile, text: marked(settings(choices)), mode: 0o640, once: true },
    inUnits('pmb.service', server(choices)),
    inUnits('pmb-backup.service', task(choices, 'PMB Online, nightly backup', 'backup.ts --rotate')),
    inUnits('pmb-backup.timer', timer('PMB Online, every night a backup', '*-*-* 01:15:00')),
    inUnits(
      'pmb-restore-test.service',
      // Both start together, so the first backup exists before it is tested.
      task(choices, 'PMB Online, restore test of the newest backup', 'restore-test.ts', 'pmb-backup.service'),
    ),
    inUnits('pmb-restore-test.timer', timer('PMB Online, every week a restore test', 'Sun *-*-* 03:15:00')),
    { path: '/etc/pmb/Caddyfile.example', text: marked(caddy(choices)), mode: 0o644 },
    { path: '/etc/pmb/nginx.conf.example', text: marked(nginx(choices)), mode: 0o644 },
  ]
}
