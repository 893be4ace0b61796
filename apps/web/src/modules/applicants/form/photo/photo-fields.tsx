import { Chip, Group, Stack, Text } from '@mantine/core'
import { useId } from 'react'
import { type ClothesSize, clothesSizes } from '#domain/applicants/profile.ts'
import type { SectionFields } from '#web/modules/applicants/form/section-fields.ts'
import { SizeChart } from '#web/modules/applicants/form/size-chart.tsx'
import { PhotoField } from './photo-field.tsx'

export function PhotoFields({ profile, answers, set, label, error, staff }: SectionFields) {
  const id = useId()
  return (
    <>
      {!staff && <PhotoField profile={profile} error={error('photoFileId')} />}
      <Stack gap="xs">
        <Text fw={500} id={id}>
          {label('clothesSize')}
        </Text>
        <Chip.Group
          value={(answers.clothesSize as string | null) ?? ''}
          onChange={(size) => set({ clothesSize: size as ClothesSize })}
        >
          <Group gap="xs" role="radiogroup" aria-labelledby={id}>
            {clothesSizes.map((size) => (
              <Chip key={size} value={size} size="lg">
                {size}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <SizeChart />
      </Stack>
    </>
  )
}
