import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { createTemplate, updateTemplate } from '#domain/campaigns/address-endpoints.ts'
import { listCampaignTemplates, type TemplateRow } from '#domain/campaigns/lists.ts'
import { screenAt } from '#domain/campaigns/screens.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { TemplateDialog } from './template-dialog.tsx'

/** Campaign templates, with and without Meta's approval for WhatsApp. */
export default function TemplatesPage() {
  const { t } = useTranslation('send')
  const [audience] = screenAt(useLocation().pathname).audiences
  const { mayCall } = useSession()
  const [open, setOpen] = useState<TemplateRow | 'new' | null>(null)
  const edit: RowAction<TemplateRow> = {
    key: 'edit',
    label: t('templates.edit'),
    dialog: ([row], { onClose }) => row && <TemplateDialog template={row} audience={audience} onClose={onClose} />,
  }
  return (
    <>
      <DataList
        list={listCampaignTemplates}
        title={useScreenTitle()}
        lead={t('templates.lead')}
        searchLabel={t('templates.search')}
        rowTitle={({ name }) => name}
        onOpen={mayCall(updateTemplate) ? setOpen : undefined}
        dimmed={({ active }) => !active}
        preview
        rowActions={mayCall(updateTemplate) ? [edit] : []}
        actions={
          mayCall(createTemplate) && (
            <Button onClick={() => setOpen('new')} leftSection={<IconPlus size={18} aria-hidden />}>
              {t('templates.new')}
            </Button>
          )
        }
        empty={{ title: t('templates.empty'), text: t('templates.emptyText') }}
      />
      {open && (
        <TemplateDialog {...(open !== 'new' && { template: open })} audience={audience} onClose={() => setOpen(null)} />
      )}
    </>
  )
}
