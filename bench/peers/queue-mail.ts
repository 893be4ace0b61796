/** Queues mail `$1` as the product does, for its sender to find. */
export const queueMail = `
  INSERT INTO handovers (id, message_id, channel, urgency, state, due_at, state_at)
  VALUES ($1::uuid, $1::uuid, 'email', 1, 'due', now(), now())`
