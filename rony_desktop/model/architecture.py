"""The architectures whose memory is known, by the names llama.cpp gives them."""

from __future__ import annotations

# A model of another architecture may keep more than the rules say: it is only bounded.
KNOWN = frozenset({
    "afmoe", "apertus", "arcee", "arctic", "arwkv7", "baichuan", "bailingmoe", "bailingmoe2",
    "bert", "bitnet", "bloom", "chatglm", "codeshell", "cohere2", "command-r", "dbrx", "deci",
    "deepseek", "deepseek2", "dots1", "ernie4_5", "ernie4_5-moe", "eurobert", "exaone",
    "exaone-moe", "exaone4", "falcon", "falcon-h1", "gemma", "gemma-embedding", "gemma2",
    "gemma3", "gemma3n", "gemma4", "glm4", "glm4moe", "gpt-oss", "gpt2", "gptneox", "granite",
    "granitehybrid", "granitemoe", "grok", "grovemoe", "hunyuan-dense", "hunyuan-moe",
    "internlm2", "jais", "jamba", "jina-bert-v2", "jina-bert-v3", "kimi-linear", "lfm2",
    "lfm2moe", "llama", "llama-embed", "llama4", "mamba", "mamba2", "minicpm", "minimax-m2",
    "mistral3", "mistral4", "modern-bert", "mpt", "nemotron", "nemotron_h", "nemotron_h_moe",
    "neo-bert", "nomic-bert", "nomic-bert-moe", "olmo", "olmo2", "olmoe", "openelm", "orion",
    "pangu-embedded", "phi2", "phi3", "phimoe", "plamo", "plamo2", "plamo3", "plm", "qwen",
    "qwen2", "qwen2moe", "qwen2vl", "qwen3", "qwen35", "qwen35moe", "qwen3moe", "qwen3next",
    "qwen3vl", "qwen3vlmoe", "refact", "rwkv6", "rwkv6qwen2", "rwkv7", "seed_oss",
    "smallthinker", "smollm3", "stablelm", "starcoder", "starcoder2", "xverse",
})  # fmt: skip
# Bidirectional models that turn a text into a vector; they keep nothing between batches.
ENCODERS = frozenset({
    "bert", "eurobert", "gemma-embedding", "jina-bert-v2", "jina-bert-v3", "modern-bert",
    "neo-bert", "nomic-bert", "nomic-bert-moe",
})  # fmt: skip
