import { Chip, Group } from '@mantine/core'

type Props = { label: string; texts: readonly string[]; value: string; onPick: (text: string) => void }

/** Chips that fill a field with a common text. */
export const QuickTexts = ({ label, texts, value, onPick }: Props) => (
  <Group gap="xs" role="group" aria-label={label}>
    {texts.map((text) => (
      <Chip
        key={text}
        size="sm"
        checked={text === value.trim()}
        onChange={() => onPick(text)}
        styles={{ label: { height: 'auto', whiteSpace: 'normal', paddingBlock: 6 } }}
      >
        {text}
      </Chip>
    ))}
  </Group>
)
