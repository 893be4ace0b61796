import { type Case, requestsPerSecond } from '../../measure.ts'

const words = ['sukamaju', 'karang', 'mekar', 'tanjung', '32.02']
const query = (q: string, index: number) =>
  new URLSearchParams({ q, page: String(1 + (index % 3)), per_page: '25', sort: 'code' })

/** 25 of 83,762 villages by a word or the start of a code, pages one to three, with districts and total. */
export const kelurahanListCase: Case = {
  goal: 0.7,
  unit: 'requests/s',
  peer: 'kelurahan-list.ts',
  async ours({ url, token }) {
    return requestsPerSecond({
      url,
      headers: { authorization: `Bearer ${await token('panitia@demo.test')}` },
      connections: 8,
      requests: words.map((q, index) => ({ path: `/api/master/kelurahan?${query(q, index)}` })),
    })
  },
  async theirs({ peerUrl }) {
    return requestsPerSecond({
      url: peerUrl,
      connections: 8,
      requests: words.map((q, index) => ({ path: `/?${query(q, index)}` })),
    })
  },
}
