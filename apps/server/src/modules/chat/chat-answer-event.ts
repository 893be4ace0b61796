/** Event name for WhatsApp answers and for notices about unread answers. */
export const chatAnswerEvent = 'chat-answer'
