package dev.ratelimit.kotlin

import dev.ratelimit.RateLimited
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController

@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Handlers::class, Quotes::class)
class KotlinApplication

open class Quotes {

	@RateLimited("2/d", key = ["global"])
	open suspend fun value(): String {
		delay(1)
		return "value"
	}

	@RateLimited("2/d", key = ["global"])
	open suspend fun nothing(): String? {
		delay(1)
		return null
	}

	@RateLimited("2/d", key = ["global"])
	open fun several(): Flow<String> = flow {
		emit("one")
		delay(1)
		emit("two")
	}

	@RateLimited("1", algorithm = "concurrency", key = ["global"])
	open suspend fun held(): String {
		delay(1)
		return "held"
	}

}

@RestController
class Handlers(private val quotes: Quotes) {

	@RateLimited("2/d")
	@GetMapping("/suspend/{id}")
	suspend fun suspending(@PathVariable id: String): String {
		delay(1)
		return "suspending $id"
	}

	@RateLimited("2/d")
	@GetMapping("/flow")
	fun flowing(): Flow<String> = flow {
		delay(1)
		emit("flowing")
	}

	@RateLimited.Exempt
	@GetMapping("/suspend/exempt")
	suspend fun exempt(): String {
		delay(1)
		return "exempt"
	}

	@GetMapping("/quote")
	suspend fun quote(): String = quotes.value()

}
