/** nginx as a plain reverse proxy: one process, keep-alive to the upstream, nothing buffered, no access log. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MEASURED_CORE } from '../machine.ts'
import { freePort, start, untilOk } from '../processes.ts'
import { hostedWire } from './hosted-wire.ts'
import type { Launch } from './target.ts'

export const nginxHint = 'Debian: apt-get install nginx-light'

export function findNginx(): string | undefined {
  return ['/usr/sbin/nginx', '/usr/local/sbin/nginx', 'nginx'].find((path) => spawnSync(path, ['-v']).status === 0)
}

export function nginxVersion(program: string): string {
  return spawnSync(program, ['-v'], { encoding: 'utf8' }).stderr.trim().replace('nginx version: ', '')
}

export function launchNginx(program: string, upstreamPort: number, folder: string): Launch {
  return async () => {
    const port = await freePort()
    const file = join(folder, `nginx-${port}.conf`)
    writeFileSync(file, configuration(port, upstreamPort, folder))
    const server = start(program, ['-c', file, '-e', join(folder, 'nginx-error.log'), '-p', folder], {
      core: MEASURED_CORE,
      logFile: join(folder, 'nginx.log'),
    })
    await untilOk(port, '/inference-profiles', server)
    return {
      name: 'nginx',
      port,
      pid: server.pid,
      plain: hostedWire('invoke'),
      stream: hostedWire('invoke-with-response-stream'),
      stop: server.stop,
    }
  }
}

/** Bodies and answers pass as they come: with buffering, nginx would write large ones to files and hold events back. */
function configuration(port: number, upstreamPort: number, folder: string): string {
  return `
daemon off;
master_process off;
pid ${join(folder, `nginx-${port}.pid`)};
worker_rlimit_nofile 20000;
events { worker_connections 16384; }
http {
  access_log off;
  client_body_temp_path ${join(folder, 'nginx-body')};
  proxy_temp_path ${join(folder, 'nginx-proxy')};
  fastcgi_temp_path ${join(folder, 'nginx-fastcgi')};
  uwsgi_temp_path ${join(folder, 'nginx-uwsgi')};
  scgi_temp_path ${join(folder, 'nginx-scgi')};
  client_max_body_size 64m;
  keepalive_requests 100000000;
  keepalive_timeout 900s;
  upstream hosted { server 127.0.0.1:${upstreamPort}; keepalive 512; keepalive_requests 100000000; keepalive_timeout 900s; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://hosted;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_request_buffering off;
      proxy_read_timeout 900s;
    }
  }
}
`
}
