import { describe, expect, test } from 'vitest'
import { cleanLine, cleanText } from './typed-text.ts'

describe('a name', () => {
  test.each([
    ['a direction override', 'Siti\u202e halA', 'Siti halA'],
    ['isolates and marks of direction', '\u2067Siti\u2069\u200f \u200eAyu', 'Siti Ayu'],
    ['spaces without width and a byte order mark', '\ufeffSi\u200bti\u2060', 'Siti'],
    ['a soft hyphen', 'Wulan\u00addari', 'Wulandari'],
    ['control characters', 'Si\u0007ti\u009f', 'Siti'],
    ['line breaks, tabs and double spaces', ' Siti\n\tAyu\u00a0 Putri ', 'Siti Ayu Putri'],
    ['a separate accent', 'Jose\u0301', 'José'],
    ['joiners between Latin letters', 'Si\u200dti\u200c Ayu\u200d', 'Siti Ayu'],
    ['nothing that is seen', '\u200b\u202e\u3164', ''],
  ])('loses %s', (_, typed, clean) => expect(cleanLine(typed)).toBe(clean))

  test.each(['Ma’ruf', "Nur'aini", 'D’Angelo-Öztürk', '王小明', 'محمد', 'می\u200cخواهم', 'क्\u200dष'])(
    '%s stays as it is',
    (name) => expect(cleanLine(name)).toBe(name),
  )
})

test('a text keeps its line breaks and joined emoji', () => {
  const text = 'Halo 👩\u200d🎓,\n\tsampai jumpa ❤\ufe0f\u200d🔥'
  expect(cleanText(text)).toBe(text)
})
