import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { BriefSchool } from '#domain/schools/endpoints.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'

type Props = {
  school: BriefSchool
  /** Omits "not verified", on pages where no school is verified. */
  unsaid?: boolean
}

/** A school in one cell: name, number, type and place. */
export function SchoolLine({ school, unsaid }: Props) {
  const { t } = useTranslation('schools')
  const facts = [school.npsn, school.schoolType, school.district, school.address].filter(Boolean).join(' · ')
  return (
    <div style={{ padding: '4px 0', minWidth: 160, maxWidth: 340, textAlign: 'left', whiteSpace: 'normal' }}>
      <Group gap="2px 8px">
        <Text size="sm" fw={500} inherit>
          {school.name}
        </Text>
        {!school.verified && !unsaid && <StatusDot tone="attention" label={t('notVerified')} />}
      </Group>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {facts}
      </Text>
    </div>
  )
}
