"""What one game server carries: durable moves, idle sockets, watchers, everybody coming back."""
