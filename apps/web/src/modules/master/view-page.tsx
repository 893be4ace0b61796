import { Anchor, Button, Stack, Tabs } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { declaredField, permissionOf } from '#entities/define/entity.ts'
import type { FieldValue } from '#entities/define/row.ts'
import { childrenOf, getEntity, hasPages } from '#entities/index.ts'
import { ImportButton } from '#web/modules/transfer/import-button.tsx'
import { FieldCell } from '#web/resource/field-cell.tsx'
import { HistoryPanel, LastChange } from '#web/resource/history-panel.tsx'
import { editPath, viewPath } from '#web/resource/paths.ts'
import { ResourceList } from '#web/resource/resource-list.tsx'
import { titleOf, useEntityWords } from '#web/resource/words.ts'
import { RecordFailed } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { extrasOf } from './extras.tsx'
import { useAncestors } from './use-ancestors.ts'
import { useRow } from './use-row.ts'
import { useTarget } from './use-target.ts'
import classes from './view-page.module.css'

/** View page of a row with nested lists: its fields, then one tab per list. */
export default function MasterViewPage() {
  const { entity, id } = useTarget()
  const { t, say, labelOf } = useEntityWords()
  const { may } = useSession()
  const [search, setSearch] = useSearchParams()
  const { row, error, retry } = useRow(entity, id)
  const name = titleOf(entity, row)
  const ancestors = useAncestors(entity, entity.parent && row && String(row[entity.parent.field]))
  usePageTitle(name ? (ancestors.length > 0 ? name : `${say(entity.label.one)}: ${name}`) : null, ancestors)

  if (error && !row) return <RecordFailed error={error} onRetry={retry} />
  if (!row || !id) return <LoadingRows rows={6} />
  const { tabs: panels = [] } = extrasOf(entity.slug)
  const replaced = new Set(panels.map(({ instead }) => instead))
  const children = childrenOf(entity).filter(hasPages)
  const tabs = [
    ...children
      .filter(({ slug }) => !replaced.has(slug))
      .map(({ slug, label }) => ({ key: slug, label: label.many, Panel: undefined })),
    ...panels,
  ]
  const tab = tabs.find(({ key }) => key === search.get('tab')) ?? tabs[0]!
  const { Panel } = tab
  const parentField = entity.parent?.field
  const parentId = parentField ? String(row[parentField]) : undefined
  const parentTitle = parentField && row.titles[parentField]
  const facts = Object.keys(entity.fields).filter(
    (key) => key !== parentField && !entity.titleFields.includes(key) && row[key] !== null,
  )
  const parent = entity.parent && getEntity(entity.parent.slug)

  return (
    <>
      <PageHeader
        title={name}
        description={
          <>
            {say(entity.label.one)}
            {parent && parentId && (
              <>
                {' · '}
                <Anchor component={Link} to={viewPath(parent, parentId)} inherit>
                  {String(parentTitle ?? '')}
                </Anchor>
              </>
            )}
            <LastChange entity={entity} id={id} />
          </>
        }
        actions={
          may(permissionOf(entity, 'update')) && (
            <Button
              component={Link}
              to={editPath(entity, id, parentId)}
              variant="default"
              leftSection={<IconPencil size={18} aria-hidden="true" />}
            >
              {t('edit')}
            </Button>
          )
        }
      />
      <Stack>
        <Card>
          <dl className={classes.facts}>
            {facts.map((key) => (
              <div key={key}>
                <dt>{labelOf(entity, key)}</dt>
                <dd>
                  <FieldCell
                    field={declaredField(entity, key)}
                    value={row[key] as FieldValue}
                    title={row.titles[key]}
                  />
                </dd>
              </div>
            ))}
            <div>
              <dt>{t('status')}</dt>
              <dd>
                <StatusDot tone={row.active ? 'done' : 'waiting'} label={t(row.active ? 'active' : 'inactive')} />
              </dd>
            </div>
          </dl>
        </Card>
        {tabs.length > 1 && (
          <Tabs value={tab.key} onChange={(next) => next && setSearch({ tab: next }, { replace: true })}>
            <Tabs.List>
              {tabs.map(({ key, label }) => (
                <Tabs.Tab key={key} value={key}>
                  {say(label)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          </Tabs>
        )}
        {Panel ? (
          <Suspense fallback={<LoadingRows rows={6} />}>
            <Panel key={id} row={row} />
          </Suspense>
        ) : (
          <ResourceList
            key={`${id}${tab.key}`}
            entity={getEntity(tab.key)}
            title={say(tab.label)}
            parentId={id}
            actions={<ImportButton entity={getEntity(tab.key)} parentId={id} />}
          />
        )}
        <HistoryPanel entity={entity} id={id} row={row} />
      </Stack>
    </>
  )
}
