package example

import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController

data class Quote(val symbol: String, val cents: Long)

/** An application with quotes of stocks. Each quote takes a while. */
@SpringBootApplication
class QuotesApplication

@RestController
class QuotesController {

	@GetMapping("/quotes/{symbol}")
	suspend fun quote(@PathVariable symbol: String): Quote {
		delay(5)
		return Quote(symbol, symbol.length * 100L)
	}

	@GetMapping("/quotes")
	fun quotes(): Flow<Quote> = flow {
		for (symbol in listOf("A", "BB", "CCC")) {
			delay(1)
			emit(Quote(symbol, symbol.length * 100L))
		}
	}

}

fun main(args: Array<String>) {
	runApplication<QuotesApplication>(*args)
}
