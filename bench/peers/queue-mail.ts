/** Queues the mail `$1` as the product's job queue does, and wakes its worker. */
export const queueMail = `
  WITH queued AS (
    INSERT INTO pgboss.job_common (name, data, expire_seconds, deletion_seconds, keep_until, retry_limit, retry_delay,
      retry_backoff, policy)
    SELECT name, json_build_object('messageId', $1::uuid), expire_seconds, deletion_seconds,
      now() + retention_seconds * interval '1 s', retry_limit, retry_delay, retry_backoff, policy
    FROM pgboss.queue WHERE name = 'deliver-message' RETURNING 1)
  SELECT pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), 'deliver-message') FROM queued`
