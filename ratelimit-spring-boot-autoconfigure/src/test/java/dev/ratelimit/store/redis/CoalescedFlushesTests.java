package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.protocol.CommandEncoder;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import io.netty.handler.logging.LoggingHandler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoalescedFlushesTests {

	private final FlushCounter flushes = new FlushCounter();

	private final EmbeddedChannel channel = new EmbeddedChannel(this.flushes, new CommandEncoder());

	@Test
	void commandsSentTogetherAreFlushedOnce() throws Exception {
		EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
		try {
			FlushCounter counter = new FlushCounter();
			Channel local = connected(loops, counter);
			local.eventLoop().submit(() -> {
				for (int i = 0; i < 10; i++) {
					local.pipeline().writeAndFlush(Unpooled.wrappedBuffer(new byte[1]));
				}
			}).sync();
			local.eventLoop().submit(() -> assertThat(counter.count).isEqualTo(1)).sync();
		}
		finally {
			loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
		}
	}

	private static Channel connected(EventLoopGroup loops, FlushCounter counter) throws Exception {
		LocalAddress address = new LocalAddress(CoalescedFlushesTests.class);
		new ServerBootstrap().group(loops)
			.channel(LocalServerChannel.class)
			.childHandler(new LoggingHandler())
			.bind(address)
			.sync();
		Channel local = new Bootstrap().group(loops)
			.channel(LocalChannel.class)
			.handler(counter)
			.connect(address)
			.sync()
			.channel();
		local.pipeline().addLast(new CommandEncoder());
		new CoalescedFlushes(Optional.empty()).afterChannelInitialized(local);
		return local;
	}

	@Test
	void aCommandAloneIsFlushedAtOnce() {
		new CoalescedFlushes(Optional.empty()).afterChannelInitialized(this.channel);

		this.channel.writeOneOutbound(Unpooled.wrappedBuffer(new byte[1]));
		this.channel.flush();

		assertThat(this.flushes.count).isEqualTo(1);
	}

	@Test
	void whatTheApplicationCustomizesStays() {
		List<Object> customized = new ArrayList<>();
		CoalescedFlushes customizer = new CoalescedFlushes(Optional.of(new NettyCustomizer() {

			@Override
			public void afterBootstrapInitialized(Bootstrap bootstrap) {
				customized.add(bootstrap);
			}

			@Override
			public void afterChannelInitialized(Channel channel) {
				customized.add(channel);
			}

		}));
		Bootstrap bootstrap = new Bootstrap();

		customizer.afterBootstrapInitialized(bootstrap);
		customizer.afterChannelInitialized(this.channel);

		assertThat(customized).containsExactly(bootstrap, this.channel);
	}

	private static final class FlushCounter extends ChannelOutboundHandlerAdapter {

		private int count;

		@Override
		public void flush(ChannelHandlerContext context) throws Exception {
			this.count++;
			super.flush(context);
		}

	}

}
