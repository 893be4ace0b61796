import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { RowOf } from '#domain/list.ts'
import { changeSurveyLink, createSurveyLink, type Survey } from '#domain/surveys/endpoints.ts'
import { listSurveyLinks } from '#domain/surveys/lists.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { linkTones } from '#web/modules/surveys/tones.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { EditLinkDialog, NewLinkDialog } from './link-dialogs.tsx'

type LinkRow = RowOf<typeof listSurveyLinks>

export function LinksTab({ survey: { id } }: { survey: Survey }) {
  const { t } = useTranslation('surveys')
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const [search, setSearch] = useSearchParams()
  const opened = search.get('link')
  const open = (linkId: string | null) => setSearch({ tab: 'links', ...(linkId && { link: linkId }) })
  const actions: RowAction<LinkRow>[] = [
    { key: 'see', label: t('links.see'), href: (link) => `?tab=links&link=${link.id}` },
    {
      key: 'edit',
      label: t('links.edit'),
      right: changeSurveyLink.access,
      dialog: ([link], ends) => link && <EditLinkDialog surveyId={id} link={link} {...ends} />,
    },
  ]
  return (
    <>
      <ListCard
        prefix="links."
        list={listSurveyLinks}
        params={{ id }}
        title={t('links.title')}
        searchLabel={t('links.search')}
        rowTitle={({ name }) => name}
        href={(link) => `?tab=links&link=${link.id}`}
        rowActions={actions}
        cells={{ state: ({ state }) => <StatusDot tone={linkTones[state]} label={t(`linkState.${state}`)} /> }}
        empty={{ title: t('links.empty'), text: t('links.emptyText') }}
        actions={
          may(createSurveyLink.access) && (
            <Button size="sm" onClick={() => setAdding(true)} leftSection={<IconPlus size={18} aria-hidden />}>
              {t('links.new')}
            </Button>
          )
        }
      />
      {isAdding && (
        <NewLinkDialog
          surveyId={id}
          onClose={() => setAdding(false)}
          onMade={(linkId) => {
            setAdding(false)
            open(linkId)
          }}
        />
      )}
      {opened && <LinkDialog surveyId={id} linkId={opened} onClose={() => open(null)} />}
    </>
  )
}
