import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { needsTexts } from '#domain/campaigns/campaigns.ts'
import {
  type Campaign,
  type CampaignDraft,
  createCampaign,
  planCampaign,
  previewCampaign,
  updateCampaign,
} from '#domain/campaigns/endpoints.ts'
import { campaignPath, type Screen } from '#domain/campaigns/screens.ts'
import { readSheet } from '#domain/campaigns/sheet-endpoints.ts'
import type { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { boundTo, useForm } from '#web/api/use-form.ts'
import { useDraft } from '#web/ui/form/draft.tsx'
import { audienceIn, emptyDraft, previewQuestion, unknownPlaceholders, withAudience } from './draft.ts'

/** Milliseconds from the last change until the form counts recipients again. */
const countPauseMs = 600

const draftOf = ({
  name,
  audience,
  filters,
  sheetId,
  purpose,
  ignoresQuietHours,
  channels,
  subjectId,
  subjectEn,
  bodyId,
  bodyEn,
  templateId,
}: CampaignDraft): CampaignDraft => ({
  ...{ name, audience, filters, sheetId, purpose, ignoresQuietHours, channels, templateId },
  ...{ subjectId, subjectEn, bodyId, bodyEn },
})

const hasTexts = ({ channels, templateId }: CampaignDraft) => needsTexts(channels, templateId !== null)

/** Request body of a save. Texts that no channel uses are sent empty. */
const toBody = (draft: CampaignDraft): CampaignDraft => ({
  ...draft,
  ...(!hasTexts(draft) && { subjectId: '', subjectEn: '', bodyId: '', bodyEn: '' }),
  templateId: draft.channels.includes('whatsapp') ? draft.templateId : null,
})

/**
 * State of the campaign form. Keeps the draft on the device, and counts recipients `countPauseMs` after the last
 * change.
 */
export function useCampaignForm(screen: Screen, campaign: Campaign | undefined) {
  const { t } = useTranslation(['send', 'errors'])
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const start = campaign ? draftOf(campaign) : emptyDraft(screen)
  // The key contains the version, because a draft of an older version would overwrite a colleague's changes.
  const key = campaign ? `campaign:${campaign.id}:${campaign.version}` : `campaign:${screen.key}`
  const [draft, setDraft, device] = useDraft<CampaignDraft>(key, start)
  const [isRestored, setRestored] = useState(device.restored)
  const set = (change: Partial<CampaignDraft>) => setDraft((before) => ({ ...before, ...change }))

  // Moves audience and filters from the URL into the draft.
  const arrival = campaign ? null : audienceIn(search, screen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per arrival
  useEffect(() => {
    if (!arrival) return
    setDraft((before) => ({ ...withAudience(before, arrival.audience), filters: arrival.filters }))
    navigate(pathname, { replace: true })
  }, [search])

  const sheet = useEndpoint(
    readSheet,
    { params: { id: draft.sheetId ?? '' } },
    { enabled: draft.audience === 'sheet' && draft.sheetId !== null },
  )
  const columns = (draft.sheetId && sheet.data?.data.columns) || []
  const [settledDraft] = useDebouncedValue(draft, countPauseMs)
  const { body, isComplete, isReady } = previewQuestion(settledDraft, columns)
  const preview = useEndpoint(
    previewCampaign,
    { body: { ...body, parentId: campaign?.parent?.id ?? null } },
    { enabled: isReady && arrival === null, quietAs: 'campaignPreview', placeholderData: keepPreviousData },
  )

  const known =
    draft.audience === 'sheet' && sheet.data && hasTexts(draft)
      ? Object.fromEntries(
          unknownPlaceholders(draft, columns).map(({ field, detail }) => [
            field,
            t('errors:placeholder_unknown', { detail }),
          ]),
        )
      : {}

  const [busy, setBusy] = useState<'draft' | 'plan' | null>(null)
  const goal = useRef<'draft' | 'plan'>('draft')
  async function finish(saved: Campaign) {
    device.clear()
    try {
      if (goal.current === 'plan')
        await sendOnce(planCampaign, { params: { id: saved.id }, body: { version: saved.version } })
    } catch (error) {
      // Planning failed, but the draft is saved. Its page offers to plan again.
      notifications.show({ color: 'red', message: (error as Error).message })
    }
    navigate(campaignPath(saved), { replace: true })
  }

  const sending = useForm({
    call: campaign ? updateCampaign : createCampaign,
    params: campaign && { id: campaign.id },
    body: { ...toBody(draft), ...(campaign && { version: campaign.version }) },
    known,
    refusal: (isReady && preview.error ? preview.error : null) as ApiError | null,
    onDone: ({ data }) => void finish(data),
    onRefused: () => setBusy(null),
  })
  const form = boundTo(sending, { values: draft, set })

  return {
    draft,
    set,
    setDraft,
    device: { ...device, restored: isRestored },
    startAnew: () => {
      setDraft(start)
      device.clear()
      setRestored(false)
    },
    columns,
    preview,
    isComplete,
    isReady,
    form,
    busy: form.busy || busy === 'plan' ? (goal.current as 'draft' | 'plan') : null,
    save: (next: 'draft' | 'plan') => {
      if (form.busy || busy) return
      goal.current = next
      if (next === 'plan' && form.isReady()) setBusy('plan')
      form.submit()
    },
  }
}

export type CampaignFormState = ReturnType<typeof useCampaignForm>
