/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLatest } from '#web/survey/use-latest.ts'
import { shrinkImage } from '#web/ui/form/shrink-image.ts'
import { describedBy, GroupField, type InputProps, Problem } from './field.tsx'

/** `maxEdge` is in pixels. With `unchangedBytes: 0`, small pictures become JPEGs too. */
const size = { maxEdge: 1600, quality: 0.8, unchangedBytes: 0 }

const sources = ['take', 'choose'] as const
type Source = (typeof sources)[number]

/** A picture from camera or file, shrunk before it is kept on the device. */
export function PhotoInput(props: InputProps) {
  const { id, say, change, services } = props
  const photoId = (props.answer as { id: string } | undefined)?.id
  const latestId = useLatest(photoId)
  const isOnPage = useRef(true)
  const [url, setUrl] = useState('')
  const [isShrinking, setShrinking] = useState(false)
  const [refusal, setRefusal] = useState<{ source: Source; sentence: string } | null>(null)
  const refusalText = refusal ? say(refusal.sentence) : ''

  useEffect(
    () => () => {
      isOnPage.current = false
    },
    [],
  )

  useEffect(() => {
    if (!photoId) return
    let photoUrl = ''
    let isCurrent = true
    void services.findPhoto(photoId).then((photo) => {
      if (!isCurrent) return
      if (!photo) return change(undefined)
      photoUrl = URL.createObjectURL(photo)
      setUrl(photoUrl)
    })
    return () => {
      isCurrent = false
      URL.revokeObjectURL(photoUrl)
      setUrl('')
    }
  }, [photoId, services, change])

  async function receive(file: File, source: Source) {
    setRefusal(null)
    setShrinking(true)
    const photo = await shrinkImage(file, size)
    setShrinking(false)
    if (photo.type !== 'image/jpeg') return setRefusal({ source, sentence: 'photo.unreadable' })
    try {
      const keptId = await services.keepPhoto(photo)
      // If this input has left the page, no answer will refer to the picture, so delete the picture.
      if (isOnPage.current) setPhoto(keptId)
      else services.dropPhoto(keptId)
    } catch {
      setRefusal({ source, sentence: 'photo.notKept' })
    }
  }

  function setPhoto(nextId: string | undefined) {
    if (latestId.current) services.dropPhoto(latestId.current)
    change(nextId && { id: nextId })
  }

  function remove() {
    setPhoto(undefined)
    document.getElementById(`${id}-take`)?.focus()
  }

  return (
    <GroupField {...props}>
      <div class="sv-buttons">
        {sources.map((source) => (
          <label class="sv-button sv-outline" key={source}>
            <input
              type="file"
              accept="image/*"
              capture={source === 'take' ? 'environment' : undefined}
              id={`${id}-${source}`}
              class="sv-file"
              {...(refusal?.source === source && describedBy(`${id}-file`, refusalText))}
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? []
                currentTarget.value = ''
                if (file) void receive(file, source)
              }}
            />
            {say(`photo.${source}`)}
          </label>
        ))}
      </div>
      <p class="sv-help" role="status" hidden={!isShrinking}>
        {isShrinking && say('photo.shrinking')}
      </p>
      {url && (
        <div>
          <img src={url} alt={say('photo.chosen')} class="sv-photo" />
          <button type="button" class="sv-quiet" onClick={remove}>
            {say('photo.remove')}
          </button>
        </div>
      )}
      <Problem id={`${id}-file`} text={refusalText} />
    </GroupField>
  )
}
