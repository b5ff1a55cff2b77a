"""With the settings of Binder and `make lab`, Jupyter's server sends small messages without delay."""

import asyncio
from pathlib import Path
from unittest import mock

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler
from traitlets.config import Configurable
from traitlets.config.loader import PyFileConfigLoader

ROOT = Path(__file__).parents[2]


def test_small_messages_are_not_held_back(monkeypatch):
    done = []

    async def connect(self):
        done.append("connected")

    monkeypatch.setattr(ZMQChannelsWebsocketConnection, "connect", connect)
    loaded = PyFileConfigLoader("jupyter_server_config.py", path=str(ROOT / "binder")).load_config()
    server = ServerApp(config=loaded)
    handler = mock.Mock(spec=KernelWebsocketHandler)
    handler.set_nodelay.side_effect = done.append
    connection = server.kernel_websocket_connection_class(parent=Configurable(), websocket_handler=handler)
    asyncio.run(connection.connect())
    assert done == [True, "connected"]
