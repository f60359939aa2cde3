/**
 * Shows the unread chats of an account in an element, or a message about what to do if they cannot
 * be read.
 */
async function showInbox(element, { fetch, baseUrl, apiKey, accountId }) {
  const response = await fetch(`${baseUrl}/v1/${accountId}/chats?filter=unread&limit=5`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  if (response.status === 424) element.replaceChildren('Log in again.')
  else if (response.status === 429) element.replaceChildren('Try again in a minute.')
  else element.replaceChildren(...(await response.json()).data.list.map(toItem))
}

function toItem({ withUser, lastMessage }) {
  const item = document.createElement('li')
  item.dataset.fan = withUser.id
  item.innerHTML = lastMessage.text
  return item
}

module.exports = { showInbox }
