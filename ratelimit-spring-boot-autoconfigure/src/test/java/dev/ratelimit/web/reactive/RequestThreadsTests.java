package dev.ratelimit.web.reactive;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.http.HttpProbe;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;

import static org.assertj.core.api.Assertions.assertThat;

class RequestThreadsTests {

	@Test
	void aRequestGoesOnWhereItBegan() {
		DisposableServer server = HttpServer.create()
			.port(0)
			.handle(new ReactorHttpHandlerAdapter(RequestThreadsTests::threads))
			.bindNow();
		try {
			String[] threads = new HttpProbe(server.port()).get("/").body().split(",");
			assertThat(threads[0]).contains("reactor-http").isEqualTo(threads[1]);
		}
		finally {
			server.disposeNow();
		}
	}

	@Test
	void aRequestWithoutAnEventLoopGoesOnInParallel() {
		MockServerHttpRequest request = MockServerHttpRequest.get("/").build();

		assertThat(RequestThreads.of(request)).isSameAs(Schedulers.parallel());
		assertThat(RequestThreads.of(new ServerHttpRequestDecorator(request))).isSameAs(Schedulers.parallel());
	}

	@Test
	void aRequestWhoseConnectionIsClosedGoesOnInParallel() throws IOException {
		AtomicReference<ServerHttpRequest> received = new AtomicReference<>();
		DisposableServer server = HttpServer.create()
			.port(0)
			.handle(new ReactorHttpHandlerAdapter((request, response) -> {
				received.set(request);
				return Mono.never();
			}))
			.bindNow();
		try {
			Socket client = new HttpProbe(server.port()).open("/", "X-Key", "any");
			Awaitility.await().until(() -> received.get() != null);
			client.close();
			Awaitility.await().until(() -> RequestThreads.of(received.get()) == Schedulers.parallel());
		}
		finally {
			server.disposeNow();
		}
	}

	// Return the thread on which the request started, and the thread on which it
	// continues after a switch to another thread. The request is decorated, as filters
	// may do.
	private static Mono<Void> threads(ServerHttpRequest request, ServerHttpResponse response) {
		return response.writeWith(Mono.just(Thread.currentThread().getName())
			.publishOn(Schedulers.boundedElastic())
			.publishOn(RequestThreads.of(new ServerHttpRequestDecorator(request)))
			.map((began) -> began + "," + Thread.currentThread().getName())
			.map((names) -> response.bufferFactory().wrap(names.getBytes(StandardCharsets.UTF_8))));
	}

}
