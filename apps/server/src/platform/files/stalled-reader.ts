import type { FastifyReply } from 'fastify'

/** Cuts off a reader that takes nothing for `patienceMs`, because its stream occupies a place. */
export function cutStalledReader({ raw }: FastifyReply, patienceMs = 30_000) {
  let movedAt = performance.now()
  const noteMove = () => {
    movedAt = performance.now()
  }
  const timer = setInterval(() => {
    if (!raw.writableNeedDrain) noteMove()
    else if (performance.now() - movedAt >= patienceMs) raw.destroy()
  }, patienceMs / 10)
  raw.on('drain', noteMove)
  raw.once('close', () => clearInterval(timer))
}
