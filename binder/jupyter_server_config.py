"""How Jupyter's server talks to the page: at once. Binder installs this file, `make lab` names it.

Without it a slider's answer may wait 40 ms: TCP holds a small message back until the page has acknowledged the one
before (Nagle's algorithm), and the page puts that off in the hope of sending something along with it.
"""

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PromptConnection(ZMQChannelsWebsocketConnection):
    """The usual connection between a page and its kernel; small messages are not held back."""

    async def connect(self):
        self.websocket_handler.set_nodelay(True)
        return await super().connect()


c.ServerApp.kernel_websocket_connection_class = PromptConnection  # Jupyter provides c
