import crypto from 'node:crypto'
import { type BankPeer, type Call, listen, type Money, post, type Reply, type Spoilt } from './bank-peer.ts'

type Order = {
  id: string
  transactionId: string
  /** `bank_transfer`, `qris`, `gopay` or `shopeepay`. */
  type: string
  bank: string
  /** The order id for a code or link, which has no number at Midtrans. */
  number: string
  gross: number
  status: string
  /** Results of Midtrans' fraud check. */
  fraud: string
  name: string
  expiresAt: number
}
type Options = { serverKey: string; notifyUrl: string; now: () => Date }

/** Jakarta times without zone, as Midtrans writes them. */
const localTime = (at: Date) => new Date(at.getTime() + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

export type MidtransPeer = BankPeer & {
  baseUrl: string
  /** Sends the notification for any status of an order, such as a settlement that turned into a denial. */
  notify(money: Money, status: string): ReturnType<BankPeer['report']>
  /** Sets the fraud check result for a number's order, in later reports and status answers. */
  review(number: string, fraud: 'accept' | 'challenge' | 'deny'): void
}

/** Midtrans' Core API for bank transfers, from its reference pages. */
export async function startMidtrans({ serverKey, notifyUrl, now }: Options): Promise<MidtransPeer> {
  const orders = new Map<string, Order>()
  const moneyById = new Map<string, Money>()
  let requestCount = 0

  const orderOf = (number: string) => [...orders.values()].find((order) => order.number === number)
  function transactionOf(order: Order) {
    if (order.status === 'pending' && order.expiresAt <= now().getTime()) order.status = 'expire'
    const codes: Record<string, string> = {
      pending: '201',
      settlement: '200',
      expire: '407',
      cancel: '200',
      deny: '202',
    }
    return {
      status_code: codes[order.status] ?? '200',
      status_message: 'ok',
      transaction_id: order.transactionId,
      order_id: order.id,
      gross_amount: `${order.gross}.00`,
      currency: 'IDR',
      payment_type: order.type,
      transaction_time: localTime(now()),
      ...(order.status === 'settlement' && { settlement_time: localTime(now()) }),
      transaction_status: order.status,
      fraud_status: order.fraud,
      ...(order.type !== 'bank_transfer'
        ? {}
        : order.bank === 'permata'
          ? { permata_va_number: order.number }
          : { va_numbers: [{ bank: order.bank, va_number: order.number }] }),
    }
  }

  function answer({ method, path, headers, body }: Call): Reply {
    if (headers.authorization !== `Basic ${Buffer.from(`${serverKey}:`).toString('base64')}`)
      return { status: 401, body: { status_code: '401', status_message: 'Access denied' } }
    if (method === 'POST' && path === '/v2/charge') {
      requestCount++
      const chargeRequest = JSON.parse(body)
      const { order_id: id, gross_amount: gross } = chargeRequest.transaction_details
      const type: string = chargeRequest.payment_type
      const isCode = ['qris', 'gopay', 'shopeepay'].includes(type)
      if (!(type === 'bank_transfer' || (isCode && chargeRequest[type])) || !Number.isInteger(gross) || gross < 1)
        return { status: 200, body: { status_code: '400', status_message: 'One or more parameters is invalid' } }
      const earlierOrder = orders.get(id)
      if (earlierOrder && ['pending', 'settlement'].includes(earlierOrder.status))
        return { status: 200, body: { status_code: '406', status_message: 'order_id has been utilized' } }
      const { expiry_duration: duration, unit } = chargeRequest.custom_expiry ?? { expiry_duration: 24, unit: 'hour' }
      const milliseconds: Record<string, number> = { second: 1e3, minute: 6e4, hour: 36e5, day: 864e5 }
      const order: Order = {
        id,
        transactionId: crypto.randomUUID(),
        type,
        bank: chargeRequest.bank_transfer?.bank ?? '',
        number: isCode ? id : `8578${String(crypto.randomInt(1e10)).padStart(12, '0')}`,
        gross,
        status: 'pending',
        fraud: 'accept',
        name: chargeRequest.customer_details?.first_name ?? '',
        expiresAt: now().getTime() + duration * milliseconds[unit]!,
      }
      orders.set(id, order)
      // Only the answer to the charge has the code or link.
      const code = {
        ...(type === 'qris' && { qr_string: `00020101021226${id.replaceAll('-', '')}6304ABCD` }),
        ...(isCode && {
          expiry_time: localTime(new Date(order.expiresAt)),
          actions: [
            { name: 'generate-qr-code', method: 'GET', url: `https://midtrans.test/v2/${type}/${id}/qr-code` },
            ...(type === 'qris'
              ? []
              : [{ name: 'deeplink-redirect', method: 'GET', url: `https://${type}.test/pay?tref=${id}` }]),
          ],
        }),
      }
      return { status: 200, body: { ...transactionOf(order), ...code } }
    }
    const [, id, verb] = /^\/v2\/([^/]+)\/(status|cancel|expire)$/.exec(path) ?? []
    const order = id && orders.get(id)
    if (!order) return { status: 200, body: { status_code: '404', status_message: "Transaction doesn't exist." } }
    if (verb !== 'status') {
      if (transactionOf(order).transaction_status !== 'pending')
        return { status: 200, body: { status_code: '412', status_message: 'Merchant cannot modify the status' } }
      order.status = verb!
    }
    return { status: 200, body: transactionOf(order) }
  }

  /** An order nobody charged: Midtrans reports none, but a forged report may. */
  const unknownOrder = (money: Money): Order => ({
    id: `stranger-${money.reference}`.slice(0, 50),
    transactionId: money.reference,
    type: 'bank_transfer',
    bank: 'bca',
    number: money.number,
    gross: money.amount,
    status: 'settlement',
    fraud: 'accept',
    name: '',
    expiresAt: 0,
  })

  async function notify(money: Money, status: string, spoilt: Spoilt = {}) {
    const order = orderOf(money.number) ?? unknownOrder(money)
    const transaction = {
      ...transactionOf({ ...order, status, gross: spoilt.amount ?? money.amount }),
      ...(spoilt.currency && { currency: spoilt.currency }),
      transaction_id: spoilt.reference ?? money.reference,
      ...(spoilt.channel && { va_numbers: [{ bank: spoilt.channel, va_number: money.number }] }),
      ...(status === 'settlement' && { settlement_time: spoilt.time ?? localTime(money.at) }),
    }
    const key = crypto
      .createHash('sha512')
      .update(`${transaction.order_id}${transaction.status_code}${transaction.gross_amount}${serverKey}`)
      .digest('hex')
    const body = JSON.stringify({
      ...transaction,
      signature_key: spoilt.signature ? key.replace(/^./, (c) => (c === '0' ? '1' : '0')) : key,
    })
    const answer = await post(notifyUrl, {}, spoilt.json ? body.slice(0, -9) : body)
    // Midtrans repeats a notification a few times unless the answer is 2xx.
    const verdict = answer.status < 300 ? 'accepted' : answer.status >= 500 ? 'again' : 'refused'
    return { ...answer, verdict } as const
  }

  const peer: MidtransPeer = {
    trouble: 'none',
    baseUrl: '',
    requestCount: () => requestCount,
    account(number) {
      const order = orderOf(number)
      return (
        order && { open: transactionOf(order).transaction_status === 'pending', amount: order.gross, name: order.name }
      )
    },
    receive(number, amount, at = now()) {
      const order = orderOf(number)
      if (order) order.status = 'settlement'
      // An order is paid once; a second payment gets another transaction id.
      const used = order && moneyById.has(order.transactionId)
      const money = { reference: order && !used ? order.transactionId : crypto.randomUUID(), number, amount, at }
      moneyById.set(money.reference, money)
      return money
    },
    report: (money, spoilt) => notify(money, 'settlement', spoilt),
    notify: (money, status) => notify(money, status),
    review(number, fraud) {
      orderOf(number)!.fraud = fraud
    },
    close: async () => {},
  }
  const { baseUrl, close } = await listen(peer, answer)
  peer.baseUrl = baseUrl
  peer.close = close
  return peer
}
