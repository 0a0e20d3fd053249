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
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoalescedFlushesTests {

	private final LocalAddress server = new LocalAddress(CoalescedFlushesTests.class);

	private final FlushCounter flushes = new FlushCounter();

	// A real event loop: an embedded channel runs what is queued after each write.
	private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());

	private Channel channel = new LocalChannel();

	@BeforeEach
	void connect() throws InterruptedException {
		new ServerBootstrap().group(this.loop)
			.channel(LocalServerChannel.class)
			.childHandler(new ChannelInboundHandlerAdapter())
			.bind(this.server)
			.sync();
		this.channel = new Bootstrap().group(this.loop)
			.channel(LocalChannel.class)
			.handler(new Handlers(this.flushes))
			.connect(this.server)
			.sync()
			.channel();
	}

	@AfterEach
	void close() {
		this.loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
	}

	@Test
	void commandsSentTogetherAreFlushedOnce() throws InterruptedException {
		new CoalescedFlushes(Optional.empty()).afterChannelInitialized(this.channel);

		assertThat(flushesAfter(10)).isEqualTo(1);
	}

	@Test
	void commandsSentApartAreFlushedEach() throws InterruptedException {
		new CoalescedFlushes(Optional.empty()).afterChannelInitialized(this.channel);

		assertThat(flushesAfter(1)).isEqualTo(1);
		assertThat(flushesAfter(1)).isEqualTo(2);
	}

	@Test
	void withoutItEachCommandIsFlushed() throws InterruptedException {
		assertThat(flushesAfter(10)).isEqualTo(10);
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

	private int flushesAfter(int commands) throws InterruptedException {
		this.channel.eventLoop().submit(() -> {
			for (int i = 0; i < commands; i++) {
				this.channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[1]));
			}
		}).sync();
		// Stands in the queue behind what the writes have put there.
		return this.channel.eventLoop().submit(() -> this.flushes.count).sync().getNow();
	}

	private static final class Handlers extends ChannelInitializer<Channel> {

		private final FlushCounter flushes;

		Handlers(FlushCounter flushes) {
			this.flushes = flushes;
		}

		@Override
		protected void initChannel(Channel channel) {
			channel.pipeline().addLast(this.flushes, new CommandEncoder());
		}

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
