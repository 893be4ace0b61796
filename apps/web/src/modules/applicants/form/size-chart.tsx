import { Anchor, Collapse, Table, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clothesSizeChart, clothesSizes } from '#domain/applicants/profile.ts'

/** Width and length of each size, collapsed at first. */
export function SizeChart() {
  const { t } = useTranslation('applicants')
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {t('sizeChart.show')}
      </Anchor>
      <Collapse expanded={open} id={id}>
        <Text size="sm" c="dimmed" mt="xs">
          {t('sizeChart.help')}
        </Text>
        <Table withRowBorders verticalSpacing={6} maw={360} mt="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('sizeChart.size')}</Table.Th>
              <Table.Th ta="right">{t('sizeChart.chest')}</Table.Th>
              <Table.Th ta="right">{t('sizeChart.length')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {clothesSizes.map((size) => (
              <Table.Tr key={size}>
                <Table.Td fw={600}>{size}</Table.Td>
                <Table.Td ta="right">{clothesSizeChart[size].chest} cm</Table.Td>
                <Table.Td ta="right">{clothesSizeChart[size].length} cm</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Collapse>
    </div>
  )
}
