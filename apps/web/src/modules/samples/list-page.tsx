import { Button, Code, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { GuideTabs } from './guide.tsx'
import {
  changeSampleRows,
  inventAgain,
  kindAt,
  type SampleRow,
  sampleLists,
  samplePaths,
  useSampleRows,
} from './sample-rows.ts'

/** The shared list, with invented local rows. */
export default function ListPage() {
  const { t } = useTranslation('samples')
  const { pathname } = useLocation()
  const title = useScreenTitle()
  const kind = kindAt(pathname)
  const rows = useSampleRows(kind)
  const remove: RowAction<SampleRow> = {
    key: 'remove',
    label: t('list.remove'),
    danger: true,
    many: true,
    refusal: ({ status }) => (status === 'progress' ? t('list.refused') : null),
    dialog: (chosen, ends) => (
      <BulkDialog
        title={t('list.remove')}
        preview={async () => {
          const named = chosen.map(({ id, name, status }) => ({ id, title: name, status }))
          return {
            allowed: named.filter(({ status }) => status !== 'progress'),
            refused: named
              .filter(({ status }) => status === 'progress')
              .map((row) => ({ ...row, reason: t('list.refused') })),
          }
        }}
        will={(count) => t('list.will', { count })}
        button={(count) => t('list.removeCount', { count })}
        run={async (ids) => {
          changeSampleRows(kind, (before) => before.filter(({ id }) => !ids.includes(id)))
          return { message: t('list.removed', { count: ids.length }) }
        }}
        danger
        {...ends}
      />
    ),
  }
  return (
    <DataList
      list={sampleLists[kind]}
      title={title}
      rows={rows}
      rowTitle={({ name }) => name}
      href={({ id }) => `${samplePaths[kind].detail}?id=${id}`}
      preview
      cells={{ status: ({ status }) => <StatusDot tone={status} label={t(`status.${status}`)} /> }}
      rowActions={[remove]}
      actions={
        <>
          <Button variant="default" onClick={() => inventAgain(kind)} children={t('list.again')} />
          <Button
            leftSection={<IconPlus size={18} aria-hidden="true" />}
            component={Link}
            to="/apps/subscriptions/add-subscription"
            children={t('list.add')}
          />
        </>
      }
      lead={
        <>
          <GuideTabs />
          <Code>{'<DataList>'}</Code> list/data-list.tsx
          <Text>{t('when.dataList')}</Text>
        </>
      }
    />
  )
}
