package dev.ratelimit.store.redis;

import java.util.Optional;

import io.lettuce.core.protocol.CommandEncoder;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Writes commands that were sent at about the same time to the socket at once. The client
 * flushes after each command, and a system call each is most of what a decision costs it.
 * What is under way when the event loop gets to it goes out together; nothing waits for
 * company.
 *
 * @param application what the application's client resources customize, if they do
 */
record CoalescedFlushes(Optional<NettyCustomizer> application) implements NettyCustomizer {

	/** So many commands are written without waiting for more of them. */
	private static final int MOST = 256;

	@Override
	public void afterBootstrapInitialized(Bootstrap bootstrap) {
		this.application.ifPresent((customizer) -> customizer.afterBootstrapInitialized(bootstrap));
	}

	// Behind TLS, if there is any, so that a record holds many commands too.
	@Override
	public void afterChannelInitialized(Channel channel) {
		this.application.ifPresent((customizer) -> customizer.afterChannelInitialized(channel));
		ChannelPipeline pipeline = channel.pipeline();
		pipeline.addBefore(pipeline.context(CommandEncoder.class).name(), CoalescedFlushes.class.getName(),
				new FlushConsolidationHandler(MOST, true));
	}

}
