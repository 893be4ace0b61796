import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { BriefSchool } from '#domain/schools/endpoints.ts'
import { StatusDot } from '#web/ui/status-dot.tsx'

type Props = { school: Pick<BriefSchool, 'name' | 'npsn' | 'verified'> & Partial<BriefSchool>; quiet?: boolean }

/** A school in one cell: name, number, type and place. */
export function SchoolLine({ school, quiet }: Props) {
  const { t } = useTranslation('schools')
  const facts = [school.npsn, school.schoolType, school.district, school.address].filter(Boolean).join(' · ')
  return (
    <div style={{ padding: '4px 0', minWidth: 0 }}>
      <Group gap={8} wrap="wrap">
        <Text size="sm" fw={quiet ? 400 : 500}>
          {school.name}
        </Text>
        {!school.verified && <StatusDot tone="attention" label={t('notVerified')} />}
      </Group>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {facts}
      </Text>
    </div>
  )
}
