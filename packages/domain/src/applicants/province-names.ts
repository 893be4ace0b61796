import { searchKeyOf } from '#domain/search/search-key.ts'

/** Everyday names of provinces by their official name. */
const everydayNames: Record<string, readonly string[]> = {
  Aceh: ['NAD', 'Nanggroe Aceh Darussalam'],
  'Sumatera Utara': ['Sumut'],
  'Sumatera Barat': ['Sumbar'],
  'Sumatera Selatan': ['Sumsel'],
  'Kepulauan Bangka Belitung': ['Babel'],
  'Kepulauan Riau': ['Kepri'],
  'Daerah Khusus Ibukota Jakarta': ['DKI', 'DKJ'],
  'Jawa Barat': ['Jabar'],
  'Jawa Tengah': ['Jateng'],
  'Jawa Timur': ['Jatim'],
  'Daerah Istimewa Yogyakarta': ['DIY', 'DI Yogyakarta', 'Jogja', 'Jogjakarta', 'Yogya'],
  'Nusa Tenggara Barat': ['NTB'],
  'Nusa Tenggara Timur': ['NTT'],
  'Kalimantan Barat': ['Kalbar'],
  'Kalimantan Tengah': ['Kalteng'],
  'Kalimantan Selatan': ['Kalsel'],
  'Kalimantan Timur': ['Kaltim'],
  'Kalimantan Utara': ['Kaltara'],
  'Sulawesi Utara': ['Sulut'],
  'Sulawesi Tengah': ['Sulteng'],
  'Sulawesi Selatan': ['Sulsel'],
  'Sulawesi Tenggara': ['Sultra'],
  'Sulawesi Barat': ['Sulbar'],
  'Maluku Utara': ['Malut'],
}

/** Whether a province is meant by typed words: a part of its name, or the start of an everyday name such as DKI. */
export function isProvinceMeant(name: string, typed: string): boolean {
  const key = searchKeyOf(typed.trim())
  if (searchKeyOf(name).includes(key)) return true
  const [first = ''] = key.split(/\s+/)
  return (everydayNames[name] ?? []).some((everyday) => {
    const everydayKey = searchKeyOf(everyday)
    return everydayKey.startsWith(key) || everydayKey === first
  })
}
