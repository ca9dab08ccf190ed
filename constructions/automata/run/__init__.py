"""Networks as PyTorch modules: ``torch_module`` as they are, ``trainable`` with parameters, ``delta_rule`` as inputs of the delta rule's kernels,
``flash_layers`` in flash-linear-attention's layers.
"""
