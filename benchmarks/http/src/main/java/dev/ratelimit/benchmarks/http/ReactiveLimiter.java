package dev.ratelimit.benchmarks.http;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * The filter for WebFlux. The request continues on the thread that receives the reply of
 * Redis. The filter has no deadline: if the connection is lost, its commands fail. If the
 * charge of a request fails, the request is allowed and is not counted.
 */
final class ReactiveLimiter implements WebFilter {

	private static final long UNCOUNTED = Long.MIN_VALUE;

	private final Buckets buckets;

	private final Fields fields;

	ReactiveLimiter(Buckets buckets, Fields fields) {
		this.buckets = buckets;
		this.fields = fields;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!exchange.getRequest().getPath().value().equals("/hello")) {
			return chain.filter(exchange);
		}
		CompletableFuture<Long> lacking = this.buckets.charge(address(exchange));
		if (lacking.isDone() && !lacking.isCompletedExceptionally()) {
			return answer(lacking.join(), exchange, chain);
		}
		return Mono.fromFuture(lacking).onErrorReturn(UNCOUNTED).flatMap((units) -> answer(units, exchange, chain));
	}

	private static String address(ServerWebExchange exchange) {
		InetSocketAddress address = exchange.getRequest().getRemoteAddress();
		return (address != null) ? address.getAddress().getHostAddress() : "unknown";
	}

	private Mono<Void> answer(long lacking, ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpResponse response = exchange.getResponse();
		if (lacking >= 0) {
			this.fields.allowed(lacking, response.getHeaders()::set);
		}
		else if (lacking != UNCOUNTED) {
			return reject(-lacking, response);
		}
		return chain.filter(exchange);
	}

	private Mono<Void> reject(long lacking, ServerHttpResponse response) {
		response.setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
		this.fields.rejected(lacking, response.getHeaders()::set);
		response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
		return response
			.writeWith(Mono.just(response.bufferFactory().wrap(HandWritten.BODY.getBytes(StandardCharsets.UTF_8))));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(HandWritten.PROPERTY)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class Registration {

		@Bean
		WebFilter limiter(Buckets buckets, Fields fields) {
			return new ReactiveLimiter(buckets, fields);
		}

	}

}
