import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { takeStatusesJob } from '#server/modules/whatsapp/items/take-statuses.job.ts'
import { mailsAtOnce } from '#server/platform/mail.ts'
import { useCasesOf } from '../bills.ts'
import { productIn } from '../product.ts'
import { randomFrom } from '../random.ts'
import { countLeft, endLeases, planCampaigns, releaseCampaigns } from './campaigns.ts'
import { openConversations, writeMessages } from './messages.ts'
import { proveSending } from './proof.ts'
import { cloudPeer, mailSink } from './sinks.ts'

/*
 * npm run torture -- sending [--seed 1] [--messages 20000] [--kills 50]
 *
 * Campaigns write to thousands of people, half by mail and half by the Cloud API, and notices and answers of the chat are
 * written meanwhile, while the server is killed and started again. At the end everybody is reached or uncertain, nobody is
 * written to twice, and what Meta received is settled by its reports. Exit code 1 when it is not.
 */
const whole = { type: 'string' } as const
const { values } = parseArgs({ options: { seed: whole, messages: whole, kills: whole } })
const seed = Number(values.seed ?? crypto.randomInt(2 ** 31))
const messages = Number(values.messages ?? 20_000)
const kills = Number(values.kills ?? 50)
if (![seed, messages, kills].every(Number.isSafeInteger)) {
  console.error('--seed, --messages and --kills want whole numbers')
  process.exit(1)
}
console.log(`Seed ${seed}: npm run torture -- sending --seed ${seed} kills at the same counts again.`)

/** Workers of a process: messages that a kill can leave without an answer. */
const workers = { email: mailsAtOnce, whatsapp: 28 }
/** Notices, each by mail and WhatsApp, and answers of the chat, besides the recipients of campaigns. */
const written = { notices: Math.floor(messages / 10), answers: Math.floor(messages / 20) }
const total = messages + 2 * written.notices + written.answers
const patienceMs = 900_000
const random = randomFrom(seed)
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-torture-sending-'))
let webhook = ''
const mails = await mailSink(random)
const cloud = await cloudPeer(random, () => webhook)
const product = await productIn(dataDir, crypto.randomBytes(32).toString('hex'), {
  SMTP_URL: mails.url,
  MAIL_FROM: 'PMB <pmb@demo.test>',
  DEMO: 'true',
  DEMO_HISTORY: 'false',
})
const interrupted = () => void product.stop().finally(() => process.exit(130))
process.once('SIGINT', interrupted)
process.once('SIGTERM', interrupted)

const arrived = () => mails.received.count() + cloud.received.count()

/** Kills at random counts of received messages, spread over the run; returns the milliseconds of each outage. */
async function killOnTheWay(isDone: () => Promise<boolean>) {
  const moments = Array.from({ length: kills }, (_, at) =>
    Math.floor(((at + 0.5 + (random.next() - 0.5) * 0.8) * total) / (kills + 1)),
  )
  const outages: number[] = []
  const untilMs = Date.now() + patienceMs
  while (outages.length < kills) {
    product.died.throwIfAborted()
    if (Date.now() > untilMs || (await isDone())) break
    if (arrived() < moments[outages.length]!) {
      await wait(20)
      continue
    }
    await wait(random.whole(0, 150))
    const startMs = performance.now()
    await product.killServer()
    await product.start()
    outages.push(performance.now() - startMs)
  }
  return outages
}

async function until(what: string, holds: () => Promise<boolean> | boolean) {
  for (const untilMs = Date.now() + patienceMs; !(await holds()); await wait(250)) {
    product.died.throwIfAborted()
    if (Date.now() > untilMs) throw new Error(`${what} took more than ${patienceMs / 60_000} minutes`)
  }
}

let passed = false
try {
  await product.start()
  const running = await useCasesOf(product)
  const { owner } = running
  const { connectionId } = await planCampaigns(running, messages, cloud.url)
  webhook = `${product.url}/api/whatsapp/webhook/${connectionId}`
  const conversations = await openConversations(running, connectionId, written)
  const startMs = performance.now()
  await releaseCampaigns(owner)
  const writing = writeMessages(running, written, conversations, (share) => arrived() >= share * messages)
  const isEmpty = async () => (await countLeft(owner)).planned === 0
  const outages = await killOnTheWay(async () => arrived() >= total * 0.9 && (await isEmpty()))
  await writing
  await until('sending', isEmpty)
  const seconds = (performance.now() - startMs) / 1_000
  await until('reporting', () => cloud.unreported() === 0)
  // Waits for answers that are on their way.
  await wait(2_000)
  // Reports that a killed server kept and did not read are taken by a job every five minutes.
  await takeStatusesJob.run(running.services, {})
  const left = await countLeft(owner)
  await endLeases(owner)
  await until('finishing', async () => {
    const open = await owner.selectFrom('campaigns').select('id').where('state', '!=', 'finished').execute()
    return open.length === 0 && (await countLeft(owner)).handed === 0
  })
  const received = { email: mails.received, whatsapp: cloud.received }
  const proof = await proveSending(owner, received, { kills: outages.length, workers, written })
  await running.stop()
  const downSeconds = outages.reduce((sum, outage) => sum + outage, 0) / 1_000
  console.table({
    recipients: messages,
    'notices and answers': total - messages,
    'mails received': mails.received.count(),
    'messages received by the Cloud API': cloud.received.count(),
    'its reports taken': cloud.reported(),
    'server killed': outages.length,
    seconds: seconds.toFixed(1),
    'of them down': downSeconds.toFixed(1),
    'messages per second up': Math.round(arrived() / Math.max(seconds - downSeconds, 0.001)),
    'without answer and report at the end': left.handed,
    reached: proof.reached,
    'uncertain mails': proof.uncertainMails,
    'of them received': proof.uncertainButReceived,
    'uncertain though the Cloud API has it': proof.problems.filter((one) => one.includes('although')).length,
    'uncertain since the Cloud API was never called': proof.neverCalled,
    'problems found': proof.problems.length,
  })
  if (outages.length < kills) proof.problems.push(`${outages.length} kills instead of ${kills}`)
  for (const problem of proof.problems.slice(0, 40)) console.error(`  ${problem}`)
  passed = proof.problems.length === 0
} catch (error) {
  console.error(error)
} finally {
  await product.stop()
  await cloud.close()
  await mails.close()
}
if (passed)
  for (const folder of [fs.realpathSync(path.join(dataDir, 'postgres')), dataDir])
    fs.rmSync(folder, { recursive: true, force: true })
else console.error(`\nNot everybody is where they belong. What happened is kept in ${dataDir}.`)
console.log(`\nSeed ${seed}: ${passed ? 'passed' : 'FAILED'}`)
process.exit(passed ? 0 : 1)
