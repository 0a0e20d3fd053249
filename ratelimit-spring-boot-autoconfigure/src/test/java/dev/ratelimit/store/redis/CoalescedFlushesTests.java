package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.lettuce.core.protocol.CommandEncoder;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoalescedFlushesTests {

	private final FlushCounter flushes = new FlushCounter();

	private final EmbeddedChannel channel = new EmbeddedChannel(this.flushes, new CommandEncoder());

	@Test
	void commandsSentTogetherAreFlushedOnce() {
		new CoalescedFlushes(Optional.empty()).afterChannelInitialized(this.channel);

		this.channel.eventLoop().execute(() -> {
			for (int i = 0; i < 10; i++) {
				this.channel.pipeline().writeAndFlush(Unpooled.wrappedBuffer(new byte[1]));
			}
		});
		this.channel.runPendingTasks();

		assertThat(this.flushes.count).isEqualTo(1);
		assertThat(this.channel.outboundMessages()).hasSize(10);
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
