package dev.ratelimit.store.redis;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;

/**
 * The event loops of the connections to Redis: replies wait there to be read. Otherwise
 * does what the application's own customizer does. Thread-safe.
 */
final class ReplyThreads implements NettyCustomizer {

	private final NettyCustomizer application;

	private final Set<Channel> open = ConcurrentHashMap.newKeySet();

	private volatile Collection<EventLoop> loops = List.of();

	ReplyThreads(NettyCustomizer application) {
		this.application = application;
	}

	Collection<EventLoop> loops() {
		return this.loops;
	}

	@Override
	public void afterBootstrapInitialized(Bootstrap bootstrap) {
		this.application.afterBootstrapInitialized(bootstrap);
	}

	@Override
	public void afterChannelInitialized(Channel channel) {
		this.application.afterChannelInitialized(channel);
		this.open.add(channel);
		refresh();
		channel.closeFuture().addListener((closed) -> {
			this.open.remove(channel);
			refresh();
		});
	}

	// Connections come and go rarely; who waits asks every few milliseconds.
	private synchronized void refresh() {
		this.loops = this.open.stream()
			.filter(Channel::isRegistered)
			.map(Channel::eventLoop)
			.collect(Collectors.toUnmodifiableSet());
	}

}
